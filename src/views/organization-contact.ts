/** An organization's contact: from `operator.json`, else from additional members, which no schema defines. */
import type { AdditionalMembers, Organization } from '../snapshot/domain/model.js';
import { statedOperator } from '../texts/operator.js';

/** Placeholder for the publisher of a document without organizations, and so without data. */
export const NOBODY: Organization = { id: 0, name: '', shortName: '', additional: {} };

/** Length of the longest text that is displayed, in characters. */
const LONGEST = 2000;

const EMAIL = /^[\w.%+-]{1,64}@[A-Za-z0-9.-]{1,255}$/;
const TELEPHONE = /^\+?[\d ()/.-]{5,40}$/;

/** Ignores members whose value does not fit their name. */
export function organizationContact(additional: AdditionalMembers) {
  const stated = statedOperator();
  const find = (names: readonly string[], pattern?: RegExp): string | undefined =>
    names
      .map((name) => additional[name])
      .filter((value) => typeof value === 'string')
      .map((text) => text.trim())
      .find((text) => pattern?.test(text) ?? (text !== '' && text.length <= LONGEST));
  return {
    email: stated?.email ?? find(['email', 'contact_email', 'e_mail'], EMAIL),
    /** Normalized by the URL parser, unless `operator.json` states it. */
    website:
      stated?.homepage ?? websiteOf(find(['website', 'url', 'homepage', 'web'], /^https?:\/\//i)),
    telephone: find(['phone', 'telephone', 'contact_phone', 'phone_number', 'tel'], TELEPHONE),
    /** Postal address. */
    address: find(['address', 'contact_address', 'postal_address']),
    person: find(['contact_person', 'contact_name']),
    description: find(['description', 'about']),
  };
}

function websiteOf(text = ''): string | undefined {
  return URL.canParse(text) ? new URL(text).href : undefined;
}
