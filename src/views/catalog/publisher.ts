/** The publisher and its contact, as nodes of the catalogue; what is told beyond the name comes from additional members. */
import type { AdditionalMembers, Organization } from '../../snapshot/model.js';
import type { Node } from './terms.js';

// The names of an organization's contact members are not fixed (spec, "Organization"): these are taken where they fit.
const EMAIL_MEMBERS = ['email', 'contact_email', 'e_mail'];
const WEBSITE_MEMBERS = ['website', 'url', 'homepage', 'web'];

const EMAIL = /^[\w.%+-]{1,64}@[A-Za-z0-9.-]{1,255}$/;

export function viewPublisher({ name, additional }: Organization, id: string): Node {
  const website = websiteOf(additional);
  return {
    '@id': id,
    '@type': 'foaf:Organization',
    'foaf:name': name,
    ...(website !== undefined && {
      'foaf:homepage': { '@id': website, '@type': 'foaf:Document' },
    }),
  };
}

/** `page` is the service's own contact page, which is always there. */
export function viewContact(
  { name, additional }: Organization,
  { id, page }: { readonly id: string; readonly page: string },
): Node {
  const email = textOf(additional, EMAIL_MEMBERS, (text) => EMAIL.test(text));
  return {
    '@id': id,
    '@type': 'vcard:Organization',
    'vcard:fn': name,
    'vcard:hasURL': { '@id': page },
    ...(email !== undefined && { 'vcard:hasEmail': { '@id': `mailto:${email}` } }),
  };
}

function websiteOf(additional: AdditionalMembers): string | undefined {
  const text = textOf(additional, WEBSITE_MEMBERS, (one) => /^https?:\/\//i.test(one));
  return text !== undefined && URL.canParse(text) ? new URL(text).href : undefined;
}

function textOf(
  additional: AdditionalMembers,
  names: readonly string[],
  fits: (text: string) => boolean,
): string | undefined {
  for (const name of names) {
    const value = additional[name];
    if (typeof value === 'string' && fits(value.trim())) return value.trim();
  }
  return undefined;
}
