/** The publisher and its contact, as nodes of the catalogue; details beyond the name come from additional members. */
import type { Organization } from '../../snapshot/domain/model.js';
import { organizationContact } from '../organization-contact.js';
import type { Node } from './vocabulary.js';

export function viewPublisher({ name, additional }: Organization, id: string): Node {
  const { website } = organizationContact(additional);
  return {
    '@id': id,
    '@type': 'foaf:Organization',
    'foaf:name': name,
    ...(website !== undefined && {
      'foaf:homepage': { '@id': website, '@type': 'foaf:Document' },
    }),
  };
}

/** @param options.page the service's own contact page, which always exists. */
export function viewContact(
  { name, additional }: Organization,
  { id, page }: { readonly id: string; readonly page: string },
): Node {
  const { email } = organizationContact(additional);
  return {
    '@id': id,
    '@type': 'vcard:Organization',
    'vcard:fn': name,
    'vcard:hasURL': { '@id': page },
    ...(email !== undefined && { 'vcard:hasEmail': { '@id': `mailto:${email}` } }),
  };
}
