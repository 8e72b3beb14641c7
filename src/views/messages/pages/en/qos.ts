/** The page on the quality of service in English. */
import { API_VERSION, DATASET_VERSION, HVD_SCHEMA_VERSION } from '../../../hvd/fields.js';
import { code, facts, link, paragraph } from '../../prose.js';
import type { LegalFacts, LegalText } from '../legal-messages.js';

export function qos({ snapshot }: LegalFacts): LegalText {
  return {
    title: 'Quality of service',
    description:
      'What can be expected: 99% availability a month, maintenance announced 24 hours ahead, data refreshed daily, no limit to requests.',
    sections: [
      {
        id: 'targets',
        heading: 'Targets',
        blocks: [
          facts(
            { name: 'Availability', value: ['99% a month'] },
            { name: 'Planned maintenance', value: ['announced 24 hours in advance'] },
            { name: 'Refresh', value: ['daily, or more often'] },
            snapshot && { name: 'Active snapshot made', value: [snapshot.generatedAt] },
            { name: 'Limit to requests', value: ['none'] },
          ),
          paragraph(
            'These are targets of a public service that is free of charge; nobody can derive a claim from them.',
          ),
        ],
      },
      {
        id: 'data',
        heading: 'Up to date and complete',
        blocks: [
          paragraph(
            'All data come from one immutable snapshot; a new one takes its place at once. Every answer, however large, is made from one snapshot only, which the field ',
            code('X-Snapshot-Id'),
            ' names. Programs learn from ',
            link('/meta', '/meta'),
            ' when it was made.',
          ),
          paragraph(
            'Answers state their length beforehand, and each file its SHA-256 checksum, so that a cut-off or damaged download is noticed.',
          ),
        ],
      },
      {
        id: 'limits',
        heading: 'Load',
        blocks: [
          paragraph(
            'Requests are not limited in number. When too much is asked for at one moment, the answer is 503 with ',
            code('Retry-After'),
            ': try again after that many seconds. What helps the service is in the ',
            link('/legal/terms#use', 'terms of use'),
            '.',
          ),
        ],
      },
      {
        id: 'outages',
        heading: 'When the source is away',
        blocks: [
          paragraph(
            'Snapshots are published in a store. When that cannot be reached, the service goes on with its last verified copy for a limited time, by default 24 hours, the length of a refresh period. After that, and whenever no snapshot is active or its schema version is not the expected one, data are answered with 503: the service does not hand out old data as if they were current. Pages of text stay available.',
          ),
        ],
      },
      {
        id: 'health',
        heading: 'State of the service',
        blocks: [
          facts(
            {
              name: 'Alive',
              value: [link('/health/live', '/health/live'), ': 200 as long as the process runs.'],
            },
            {
              name: 'Ready',
              value: [
                link('/health/ready', '/health/ready'),
                ': 200 while data are served, 503 with the reason otherwise.',
              ],
            },
            {
              name: 'In depth',
              value: [
                link('/health/ready?deep=1', '/health/ready?deep=1'),
                ': also checks every file for download.',
              ],
            },
          ),
        ],
      },
      {
        id: 'versions',
        heading: 'Versions',
        blocks: [
          facts(
            { name: 'API', value: [API_VERSION] },
            { name: 'Snapshot schema', value: [snapshot?.schemaVersion ?? '1.2.0'] },
            { name: 'HVD schema', value: [HVD_SCHEMA_VERSION] },
            { name: 'Dataset', value: [DATASET_VERSION] },
          ),
          paragraph(
            'The high-value-dataset API has its version in its path, ',
            code('/api/v1'),
            '. The first API (',
            code('/meta'),
            ', ',
            code('/stations'),
            ', ',
            code('/measurements'),
            ') stays as it is beside it. Answers may gain members: read what you know and ignore the rest.',
          ),
        ],
      },
    ],
  };
}
