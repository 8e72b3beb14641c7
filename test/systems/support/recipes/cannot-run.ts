/** The recipes that cannot run in a test, each with the reason, and how much of it can be checked all the same. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecipeName } from '../../../../src/views/recipes.js';
import { PYTHON } from '../../../../tools/system.mjs';
import { openDuckDb } from '../../../support/readers/duckdb.js';
import { get } from '../../../support/service/requests.js';
import {
  closeTo,
  DATASET,
  highestOf,
  meanOf,
  newestValues,
  observations,
  STATION,
  type Check,
} from './recipe-check.js';
import { runProgram } from './run-program.js';

interface CannotRun {
  readonly reason: string;
  readonly check: Check;
}

export const CANNOT_RUN = {
  'duckdb/remote.sql': {
    reason:
      'DuckDB loads what reads addresses from the internet: here it reads a file in its place',
    check: async (t, { folder, code, service }) => {
      const { body } = await get(service, `/api/v1/bulk/${DATASET}.parquet`);
      const path = join(folder, `${DATASET}.parquet`);
      await writeFile(path, body);
      const address = `${service.url}/api/v1/bulk/${DATASET}.parquet`;
      t.match(code, `'${address}'`);
      const { rows } = await openDuckDb(t);
      const no2 = (await rows(code.replace(address, path))).find(
        ({ parameter_code: name }) => name === 'NO2',
      );
      const query = `station_id=${STATION}&parameter_code=NO2`;
      const observed = await observations(service, query);
      closeTo(t, [Number(no2?.['mean']), meanOf(observed)], 1e-9, 'mean');
      t.equal(no2?.['highest'], highestOf(observed));
    },
  },

  'excel/month.pq': {
    reason: 'Excel runs on other systems: its request is made, and has the columns that are named',
    check: async (t, { code, service }) => {
      const text = (name: string) => new RegExp(`${name} = "([^"]*)"`).exec(code)?.[1] ?? '';
      t.match(code, `Web.Contents(\n            "${service.url}",`);
      const query = new URLSearchParams({
        station_id: text('station_id'),
        layout: text('layout'),
      });
      const { status, body } = await get(service, `/${text('RelativePath')}?${query.toString()}`);
      t.equal(status, 200);
      const columns = body.toString().split('\r\n')[0]?.split(',') ?? [];
      const named = [...code.matchAll(/"(station_id|\w+_name|\w+_utc)"/g)].map(([, n = '']) => n);
      t.equal(new Set(named).size, 4);
      for (const name of named) t.ok(columns.includes(name), name);
      t.same(unclosed(code), [], 'every bracket is closed');
    },
  },

  'grafana/datasource.yaml': {
    reason: 'Grafana is another server: the file is YAML about the plugin and address of the panel',
    check: async (t, { folder, file, recipes, service }) => {
      const toJson = 'import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))';
      const json = await runProgram(folder, [PYTHON, '-c', toJson, file]);
      const { datasource, targets } = panelOf(recipes);
      t.match(JSON.parse(json), {
        datasources: [{ ...datasource, jsonData: { allowedHosts: [service.url] } }],
      });
      for (const { url } of targets) t.ok(url.startsWith(`${service.url}/`), url);
    },
  },

  'grafana/panel.json': {
    reason: 'the same: its request is made, with a period in the place of its variables',
    check: async (t, { recipes, service }) => {
      const period: Readonly<Record<string, string>> = {
        '${__from:date:iso}': '2026-02-01T00:00:00.000Z',
        '${__to:date:iso}': '2026-02-03T00:00:00.000Z',
      };
      const { targets } = panelOf(recipes);
      t.equal(targets.length, 1);
      for (const { url, url_options: options, columns } of targets) {
        const query = new URLSearchParams();
        for (const { key, value } of options.params) query.set(key, period[value] ?? value);
        const answer = await fetch(`${url}?${query.toString()}`);
        t.equal(answer.status, 200);
        const [head = '', ...lines] = (await answer.text()).trimEnd().split('\r\n');
        t.equal(lines.length, (await observations(service, query.toString())).length);
        t.ok(lines.length > 40, 'nearly all hours of two days');
        for (const { selector } of columns) t.ok(head.split(',').includes(selector), selector);
      }
    },
  },

  'home-assistant/rest.yaml': {
    reason: 'Home Assistant is another server: the library of its templates renders them here',
    check: async (t, { folder, file, service }) => {
      const program = `
import datetime, json, sys, urllib.request, jinja2, yaml
for rest in yaml.safe_load(open(sys.argv[1]))["rest"]:
    value_json = json.load(urllib.request.urlopen(rest["resource"]))
    for sensor in rest["sensor"]:
        value = jinja2.Template(sensor["value_template"]).render(value_json=value_json)
        # The only kind of path that the recipe has.
        [data] = [one for one in value_json["data"] if sensor["json_attributes_path"] ==
            f"$.data[?(@.parameter_code=='{one['parameter_code']}')]"]
        end = datetime.datetime.fromisoformat(data["time_end_utc"].replace("Z", "+00:00"))
        available = [jinja2.Template(sensor["availability"]).render(
            value_json=json, timedelta=datetime.timedelta,
            utcnow=lambda: end + datetime.timedelta(minutes=minutes))
            for minutes, json in [(1, value_json), (179, value_json), (181, value_json), (1, {"data": []})]]
        print(sensor["name"], float(value), *(data[name] for name in sensor["json_attributes"]), *available)`;
      const printed = await runProgram(folder, [PYTHON, '-c', program, file]);
      const newest = await observations(
        service,
        `station_id=${STATION}&parameter_code=NO2,PM10`,
        '/api/v1/observations/latest',
      );
      t.equal(newest.length, 2);
      t.same(
        printed.trimEnd().split('\n'),
        newest.map(({ parameter_code: code, value, time_start_utc: start, time_end_utc: end }) =>
          // Just after the hour, nearly three hours later, and later than that; without a value at last.
          [code, value?.toFixed(1), start, end, 'True True False False'].join(' '),
        ),
      );
    },
  },

  'qgis/layers.py': {
    reason: 'QGIS needs a desktop: GDAL, by which it reads layers, opens what the program names',
    check: async (t, { folder, file, service }) => {
      await mkdir(join(folder, 'qgis'));
      await writeFile(join(folder, 'qgis', 'core.py'), NAMES_OF_LAYERS);
      const layers = (await runProgram(folder, [PYTHON, file])).trimEnd().split('\n');
      t.equal(layers.length, 3);
      t.match(layers.at(-1), /^virtual \?query=SELECT /);
      const counts = [28, await newestValues(service, 'parameter_code=NO2')];
      for (const [index, count] of counts.entries()) {
        const [provider, source = ''] = layers[index]?.split(' ') ?? [];
        t.equal(provider, 'ogr');
        const about = await runProgram(folder, ['ogrinfo', '-so', '-al', source]);
        t.match(about, `Feature Count: ${count}\n`, source);
      }
    },
  },
} as const satisfies Partial<Readonly<Record<RecipeName, CannotRun>>>;

/** In the place of QGIS: says which layers would be made. */
const NAMES_OF_LAYERS = `
class QgsVectorLayer:
    def __init__(self, source, name, provider):
        print(provider, source)

class QgsProject:
    instance = classmethod(lambda project: project())
    def addMapLayer(self, layer): pass
`;

interface Panel {
  readonly datasource: { readonly type: string; readonly uid: string };
  readonly targets: readonly {
    readonly url: string;
    readonly url_options: {
      readonly params: readonly { readonly key: string; readonly value: string }[];
    };
    readonly columns: readonly { readonly selector: string }[];
  }[];
}

function panelOf(recipes: ReadonlyMap<RecipeName, string>): Panel {
  return JSON.parse(recipes.get('grafana/panel.json') ?? '') as Panel;
}

/** Brackets that do not fit, or are not closed; those in texts are none. */
function unclosed(code: string): readonly string[] {
  const pairs: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };
  const open: string[] = [];
  for (const bracket of code.replaceAll(/"[^"]*"/g, '').match(/[()[\]{}]/g) ?? []) {
    const opening = pairs[bracket];
    if (opening === undefined) open.push(bracket);
    else if (open.pop() !== opening) return [bracket];
  }
  return open;
}
