import { glob, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

/** Where the name of this software stands in what others read, each with the reason why no reseller's customer does. */
const allowed: readonly (readonly [file: string, reason: string])[] = [
  ['control-plane/alerting/channels/kinds/webhook-secret.ts', 'headers of the API, which are its interface'],
  ['control-plane/config.ts', 'settings of the operator'],
  ['control-plane/http/endpoint.ts', 'headers of the API, which are its interface'],
  ['control-plane/http/openapi/document.ts', 'the description of the API, read by programmers'],
  ['importers/gatus/source.ts', 'names the place that something moves to'],
  ['control-plane/importing/vedette.ts', 'names a source of imports'],
  ['control-plane/platform/instance-heartbeat.ts', 'reaches the operator'],
  ['control-plane/reselling/managed-teams/create.ts', 'headers of the API, which are its interface'],
  ['control-plane/billing/stripe/api.ts', 'reaches the operator’s payment provider'],
  ['control-plane/tenancy/branding/effective.ts', 'the platform’s own brand'],
  ['locales/en/mails.json', 'where the brand does not hide it'],
  ['locales/en/reports.json', 'where the brand does not hide it'],
  ['locales/en/status-pages.json', 'where the brand does not hide it'],
]

const named = /['"`][^'"`\n]*Vedette[^'"`\n]*['"`]/

test('texts for others have the name of the brand, which is ours in one place', async () => {
  const found: string[] = []
  for await (const file of glob(['control-plane/**/*.ts', 'importers/**/*.ts', 'locales/en/*.json'])) {
    const lines = (await readFile(file, 'utf8')).split('\n').filter(line => !/^\s*(?:\/\/|\/?\*)/.test(line))
    if (lines.some(line => named.test(line))) found.push(file)
  }
  expect(found.sort()).toEqual(allowed.map(([file]) => file).sort())
})
