/** Finds an organization's contact in its additional members, which no schema defines. */
import type { AdditionalMembers } from '../snapshot/domain/model.js';

type HttpAddress = `http://${string}` | `https://${string}`;

/** Length of the longest text that is displayed, in characters. */
const LONGEST = 2000;

const EMAIL = /^[\w.%+-]{1,64}@[A-Za-z0-9.-]{1,255}$/;
const TELEPHONE = /^\+?[\d ()/.-]{5,40}$/;

/** Ignores members whose value does not fit their name. */
export function organizationContact(additional: AdditionalMembers) {
  const find = (names: readonly string[], pattern?: RegExp): string | undefined =>
    names
      .map((name) => additional[name])
      .filter((value) => typeof value === 'string')
      .map((text) => text.trim())
      .find((text) => pattern?.test(text) ?? (text !== '' && text.length <= LONGEST));
  return {
    email: find(['email', 'contact_email', 'e_mail'], EMAIL),
    /** Normalized by the URL parser. */
    website: websiteOf(find(['website', 'url', 'homepage', 'web'], /^https?:\/\//i)),
    telephone: find(['phone', 'telephone', 'contact_phone', 'phone_number', 'tel'], TELEPHONE),
    /** Postal address. */
    address: find(['address', 'contact_address', 'postal_address']),
    person: find(['contact_person', 'contact_name']),
    description: find(['description', 'about']),
  };
}

function websiteOf(text: string | undefined): HttpAddress | undefined {
  if (text === undefined || !URL.canParse(text)) return undefined;
  const { protocol, href } = new URL(text);
  const rest = href.slice(`${protocol}//`.length);
  if (protocol === 'https:') return `https://${rest}`;
  return protocol === 'http:' ? `http://${rest}` : undefined;
}
