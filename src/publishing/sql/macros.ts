/** Regular expression for a text that ends in a time of day with an offset. */
export const OFFSET = String.raw`\d:?\d\d(?::\d\d(?:[.,]\d+)?)? *(?:[Zz]|[+-]\d\d(?::?\d\d)?) *$`;

/**
 * Macros for `bura.sql` (`docs/tables.md`, "Exports"). A clock time is one instant; two when the clock is put back, no
 * instant when it is put forward. The offsets of the day before and of the day after give all instants.
 */
export const MACROS = `
CREATE MACRO bura_zone(zone) AS CASE
  WHEN regexp_full_match(zone::VARCHAR, 'UTC|[A-Za-z_]+/[A-Za-z0-9_+/-]+') THEN zone::VARCHAR
  ELSE error('expected a time zone such as Europe/Madrid, Etc/GMT-1 or UTC, got ' || zone::VARCHAR) END;
CREATE MACRO timezone(ts) AS system.main.timezone(ts),
  (zone, ts) AS system.main.timezone(bura_zone(zone), ts);
CREATE MACRO bura_offset(instant, zone) AS timezone(zone, instant) - system.main.timezone('UTC', instant);
CREATE MACRO bura_at(ts, zone, days) AS
  system.main.timezone('UTC', ts - bura_offset(system.main.timezone('UTC', ts) + INTERVAL (days) DAY, zone));
CREATE MACRO bura_instants(ts, zone) AS list_sort(list_distinct(list_filter(
  [bura_at(ts, zone, -1), bura_at(ts, zone, 1)],
  lambda instant: timezone(zone, instant) = ts
)));
CREATE MACRO bura_has_offset(ts) AS typeof(ts) = 'TIMESTAMP WITH TIME ZONE'
  OR (typeof(ts) = 'VARCHAR' AND regexp_matches(ts::VARCHAR, '${OFFSET}'));
CREATE MACRO utc(ts, zone, nth := 1) AS CASE
  WHEN ts IS NULL THEN NULL
  WHEN bura_zone(zone) IS NULL THEN error('utc: no time zone')
  WHEN bura_has_offset(ts) THEN ts::TIMESTAMPTZ
  ELSE coalesce(
    bura_instants(ts::TIMESTAMP, zone)[nth],
    error('utc: the clock of ' || zone || CASE len(bura_instants(ts::TIMESTAMP, zone))
      WHEN 0 THEN ' skips ' WHEN 1 THEN ' shows only once ' ELSE ' shows only twice ' END
      || strftime(ts::TIMESTAMP, '%Y-%m-%d %H:%M'))
  ) END;

CREATE MACRO id(text) AS ('0x' || left(md5(text::VARCHAR), 8))::BIGINT & 2147483647;

CREATE MACRO bura_part(text, which) AS coalesce(
  TRY_CAST(replace(regexp_extract_all(text::VARCHAR, '[0-9]+(?:[.,][0-9]+)?')[which], ',', '.') AS DOUBLE), 0);
CREATE MACRO degrees(text) AS CASE
  WHEN text IS NULL THEN NULL
  WHEN NOT regexp_matches(text::VARCHAR,
    '^ *[NSEWOnsewo]? *[-+]?[0-9]{1,3}(?:[.,][0-9]+)?(?: *[°º˚d: ] *[0-9]{1,2}(?:[.,][0-9]+)?(?: *[''’′m: ] *(?:[0-9]{1,2}(?:[.,][0-9]+)? *(?:["”″s]|'''')?)?)?)?[°º˚d''’′m]? *[NSEWOnsewo]? *$')
    OR bura_part(text, 2) >= 60 OR bura_part(text, 3) >= 60
    THEN error('degrees: expected degrees, minutes and seconds, got ' || text::VARCHAR)
  WHEN regexp_matches(text::VARCHAR, '[Oo]')
    THEN error('degrees: O is east in one language and west in another, say E or W: ' || text::VARCHAR)
  ELSE round(
    CASE WHEN regexp_matches(text::VARCHAR, '[-SWsw]') THEN -1 ELSE 1 END
    * (bura_part(text, 1) + bura_part(text, 2) / 60 + bura_part(text, 3) / 3600), 6)
END;
`;
