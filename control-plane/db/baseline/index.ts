import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const read = (kind: 'tables' | 'functions', modules: string[]) =>
  modules.map(module => readFileSync(join(import.meta.dirname, kind, `${module}.sql`), 'utf8'))

/**
 * The schema that everything begins with. A table stands after those that it refers to, functions and triggers after
 * all tables.
 */
export const baseline = () =>
  [
    'create extension if not exists citext;\n',
    ...read('tables', [
      'tenancy',
      'base',
      'identity',
      'access',
      'outbox',
      'http',
      'monitoring',
      'engine',
      'alerting',
      'publishing',
      'reselling',
    ]),
    ...read('functions', [
      'tenancy',
      'base',
      'outbox',
      'http',
      'access',
      'engine',
      'monitoring',
      'alerting',
      'reselling',
    ]),
  ].join('\n')
