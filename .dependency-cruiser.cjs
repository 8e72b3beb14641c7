/** The four rooms of docs in README ("The tree"): imports go down, never up and never round. */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'snapshot-is-the-floor',
      comment:
        'snapshot imports nothing above it; what it needs from above is handed in as a function',
      severity: 'error',
      from: { path: '^src/snapshot/' },
      to: {
        path: '^src/(http|supervisor|ipc|log|workers|views|publishing|cli|commands|settings|build-id)',
      },
    },
    {
      name: 'files-know-nobody',
      comment: 'files of a machine, for whoever reads or writes them',
      severity: 'error',
      from: { path: '^src/files/' },
      to: { path: '^src/', pathNot: '^src/files/' },
    },
    {
      name: 'publishing-knows-documents-and-stores',
      severity: 'error',
      from: { path: '^src/publishing/' },
      to: {
        path: '^src/',
        pathNot:
          '^src/(publishing/|snapshot/|files/|version\\.ts|workers/formats/|views/hvd/(fields|station-records)\\.ts)',
      },
    },
    {
      name: 'only-commands-publish',
      comment: 'the service never loads what makes a document or writes to a store',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(publishing|commands)/' },
      to: { path: '^src/publishing/' },
    },
    {
      name: 'views-are-pure',
      comment: 'views know the model and its windows, and do no I/O',
      severity: 'error',
      from: { path: '^src/views/' },
      to: {
        path: '^src/|^(node:)?(fs|net|http|https|child_process|worker_threads)$',
        pathNot:
          '^src/(views|texts)/|^src/snapshot/domain/(model|windows|observation-order|selection|active-state|units|days|zone-clock)\\.ts$',
      },
    },
    {
      name: 'texts-know-nobody',
      comment: 'words are read from files, for whoever asks',
      severity: 'error',
      from: { path: '^src/texts/' },
      to: { path: '^src/', pathNot: '^src/texts/' },
    },
    {
      name: 'one-door-markdown-and-fluent',
      comment: 'texts are read in one place',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/texts/' },
      to: { path: 'node_modules/(@fluent|markdown-it)' },
    },
    {
      name: 'workers-do-not-know-http',
      severity: 'error',
      from: { path: '^src/workers/' },
      to: { path: '^src/(http|cli|commands|settings|build-id)' },
    },
    {
      name: 'http-asks-workers-through-one-door',
      severity: 'error',
      from: { path: '^src/http/' },
      to: {
        path: '^src/(supervisor|commands)/|^src/workers/',
        pathNot: '^src/workers/(pool|messages)\\.ts$',
      },
    },
    {
      name: 'supervisor-has-imports-done',
      comment: 'it serves no request, and of workers it knows only the messages of an import',
      severity: 'error',
      from: { path: '^src/supervisor/' },
      to: {
        path: '^src/(http|views|commands|workers)/',
        pathNot: '^src/workers/messages\\.ts$',
      },
    },
    {
      name: 'ipc-and-log-know-no-process',
      severity: 'error',
      from: { path: '^src/(ipc|log)/' },
      to: {
        path: '^src/(http|supervisor|commands|views|workers/(?!messages\\.ts))',
      },
    },
    {
      name: 'commands-ask-workers-through-one-door',
      severity: 'error',
      from: { path: '^src/(commands/|cli\\.ts)' },
      to: { path: '^src/workers/', pathNot: '^src/workers/messages\\.ts$' },
    },
    {
      name: 'jobs-stay-off-the-front',
      comment: 'nothing that the front thread loads reaches a job',
      severity: 'error',
      from: { path: '^src/http/front/front\\.ts$' },
      to: { path: '^src/workers/(jobs|formats)/|^src/pages/.*-view\\.ts$', reachable: true },
    },
    {
      name: 'views-of-pages-load-no-declaration',
      comment: 'a worker renders a page; the front alone answers with it',
      severity: 'error',
      from: { path: '^src/pages/.*-view\\.ts$|^src/pages/(view|read-portal)\\.ts$' },
      to: {
        path: '^src/http/|^src/pages/([^/]+)/\\1\\.ts$|^src/pages/(declaration|shown|pages)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'settings-arrive-as-arguments',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot:
          '^src/(cli|settings)\\.ts$|^src/commands/|^src/supervisor/|^src/ipc/front-messages\\.ts$',
      },
      to: { path: '^src/settings\\.ts$' },
    },
    {
      name: 'one-door-uwebsockets',
      comment: 'the rest of http gets plain requests and returns plain answers',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/http/wire/' },
      to: { path: 'node_modules/uWebSockets|^src/http/wire/uwebsockets\\.ts$' },
    },
    {
      name: 'semantics-is-pure',
      comment: 'HTTP itself knows neither endpoints nor snapshots that are served',
      severity: 'error',
      from: { path: '^src/http/semantics/' },
      to: { path: '^src/http/', pathNot: '^src/http/semantics/' },
    },
    {
      name: 'wire-knows-only-semantics',
      severity: 'error',
      from: { path: '^src/http/wire/' },
      to: { path: '^src/', pathNot: '^src/http/(wire|semantics)/' },
    },
    {
      name: 'answers-know-no-endpoint',
      severity: 'error',
      from: { path: '^src/http/answers/' },
      to: { path: '^src/http/(routing|routes|front|wire)/' },
    },
    {
      name: 'endpoints-know-no-server',
      severity: 'error',
      from: { path: '^src/http/(routing|routes)/' },
      to: { path: '^src/http/(front|wire)/', pathNot: '^src/http/wire/server\\.ts$' },
    },
    {
      name: 'tests-for-everyone-need-no-tools',
      comment:
        'npm test needs Node and the npm packages alone; what needs programs or rights lies in test/systems',
      severity: 'error',
      from: { path: '^test/', pathNot: '^test/systems/' },
      to: { path: '^(test/systems/|tools/system\\.mjs$|node_modules/(playwright-core|axe-core)/)' },
    },
    {
      name: 'oracle-shares-no-code',
      comment: 'what the soak expects of the service is worked out without the service',
      severity: 'error',
      from: { path: '^bench/soak/(oracle|checker)\\.ts$' },
      to: { path: '^src/', reachable: true },
    },
    {
      name: 'one-door-lmdb',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/snapshot/local/environment\\.ts$' },
      to: { path: 'node_modules/lmdb/' },
    },
    {
      name: 'one-door-redis',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/snapshot/store/redis/redis-library\\.ts$' },
      to: { path: 'node_modules/@redis/' },
    },
    {
      name: 'one-door-msgpack',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/snapshot/local/records\\.ts$' },
      to: { path: 'node_modules/@msgpack/' },
    },
    {
      name: 'one-door-stream-json',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/snapshot/document/json/' },
      to: { path: 'node_modules/(stream-json|stream-chain)/' },
    },
    {
      name: 'one-door-hyparquet',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/workers/formats/parquet/' },
      to: { path: 'node_modules/hyparquet' },
    },
    {
      name: 'one-door-exceljs',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/workers/formats/spreadsheets/xlsx\\.ts$' },
      to: { path: 'node_modules/exceljs/' },
    },
    {
      name: 'one-door-duckdb',
      comment: 'only publishers have it',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/publishing/sql/database\\.ts$' },
      to: { path: 'node_modules/@duckdb/' },
    },
    {
      name: 'one-door-saxes',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/publishing/sql/xml-tables\\.ts$' },
      to: { path: 'node_modules/saxes/' },
    },
    {
      name: 'one-door-proj4',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/publishing/sql/positions\\.ts$' },
      to: { path: 'node_modules/proj4' },
    },
    {
      name: 'one-door-fflate',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: '^src/(workers/formats/spreadsheets/ods|publishing/sql/workbook)\\.ts$',
      },
      to: { path: 'node_modules/fflate/' },
    },
    {
      name: 'one-door-liquidjs',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/workers/formats/templates\\.ts$' },
      to: { path: 'node_modules/liquidjs/' },
    },
    {
      name: 'one-door-resvg',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/workers/formats/png\\.ts$' },
      to: { path: 'node_modules/@resvg/' },
    },
    {
      name: 'browser-code-stays-in-browsers',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/browser/' },
      to: { path: '^src/browser/' },
    },
    {
      name: 'one-door-lru-cache',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot:
          '^src/(http/answers/(rendered-answers|answer-cache|block-cache)|views/pages/portal/formatters)\\.ts$',
      },
      to: { path: 'node_modules/lru-cache/' },
    },
    {
      name: 'one-door-piscina',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/workers/(pool|entry)\\.ts$' },
      to: { path: 'node_modules/piscina/' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types'],
    },
  },
};
