import js from '@eslint/js';
import markdown from '@eslint/markdown';
import tseslint from 'typescript-eslint';
import { plainEnglish } from './tools/lint/plain-english.mjs';

/** The promise that nobody awaits, the `any` that leaks, the case that a `switch` forgot; and plain English. */
export default tseslint.config(
  {
    ignores: [
      'dist/',
      'build/',
      'var/',
      '.tap/',
      'reports/',
      '.stryker-tmp/',
      '**/*.cjs',
      'src/**/*.js',
    ],
  },
  {
    plugins: { bura: { rules: { 'plain-english': plainEnglish } } },
    rules: { 'bura/plain-english': 'error' },
  },
  {
    // Texts of pages are another matter: translators know them.
    files: ['*.md', 'docs/**/*.md', 'bench/**/*.md'],
    plugins: { markdown },
    language: 'markdown/gfm',
  },
  {
    files: ['**/*.ts'],
    extends: [js.configs.recommended, ...tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      eqeqeq: 'error',
      // Controls are cut out of spreadsheets and terminals.
      'no-control-regex': 'off',
      'max-lines': ['error', { max: 550, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 90, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    // The modules that a page or a request runs through: each is read at a glance.
    files: ['src/{http,views,browser,texts,pages}/**/*.ts'],
    rules: {
      'max-lines': ['error', { max: 300 }],
      'max-lines-per-function': ['error', { max: 50 }],
    },
  },
  {
    // A test is one long function by nature.
    files: ['test/**/*.ts', 'bench/**/*.ts'],
    rules: { 'max-lines-per-function': 'off' },
  },
  {
    // A test that is async ends by itself, whether it waits for something or not.
    files: ['test/**/*.ts'],
    rules: { '@typescript-eslint/require-await': 'off' },
  },
);
