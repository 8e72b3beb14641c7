import js from '@eslint/js';
import tseslint from 'typescript-eslint';

/** The promise that nobody awaits, the `any` that leaks, the case that a `switch` forgot. */
export default tseslint.config(
  { ignores: ['dist/', 'build/', 'var/', '.tap/', '**/*.cjs', '**/*.js', '**/*.mjs'] },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  {
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
      // What is cut out of spreadsheets and terminals is just these.
      'no-control-regex': 'off',
      'max-lines': ['error', { max: 550, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 90, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    // A test is one long function by nature.
    files: ['test/**', 'bench/**'],
    rules: { 'max-lines-per-function': 'off' },
  },
  {
    // A test that is async ends by itself, whether it waits for something or not.
    files: ['test/**'],
    rules: { '@typescript-eslint/require-await': 'off' },
  },
);
