import { readFileSync, statSync, writeFileSync } from 'node:fs'
import openapiTypescript, { astToString } from 'openapi-typescript'

/** The app acts in a managed team by the header X-Tenant-Id, so it needs few twins for resellers. */
const belowTeam = /^\/api\/v1\/reseller\/managed-teams\/\{[^}]+\}\/(.+)/
/** What the console reads and changes in a team without acting in it: people and keys are refused there. */
const ofConsole = /^(members|invitations|api-keys|plan|audit-log|dashboard)(\/|$)/
/** Every refusal has the body of `4XX`. The client itself sends these headers. */
const isRefusal = (status: string) => /^(304|[45]\d\d)$/.test(status)
const sentByClient = new Set(['#/components/parameters/XTenantId', '#/components/parameters/Prefer'])

interface Operation {
  parameters?: { $ref?: string }[]
  responses: Record<string, unknown>
}

/**
 * The types of the API as TypeScript, for openapi-fetch: of what the app may call, without texts. The file is made where
 * the document is newer; only the type check and editors read it.
 */
async function apiTypes(): Promise<string> {
  const text = readFileSync(new URL('../../contract/openapi.json', import.meta.url), 'utf8')
  const document = JSON.parse(text, function (this: unknown, key, value) {
    const isText = ['description', 'summary', 'example', 'examples', 'title'].includes(key)
    return isText && (typeof value === 'string' || key.startsWith('example')) && !isProperties(this) ? undefined : value
  })
  const isNeedless = (path: string) => {
    const inTeam = belowTeam.exec(path)?.[1]
    return inTeam !== undefined && `/api/v1/${inTeam}` in document.paths && !ofConsole.test(inTeam)
  }
  const paths = Object.keys(document.paths)
  for (const path of paths.filter(path => isNeedless(path) || !path.startsWith('/api/v1/'))) delete document.paths[path]
  for (const operations of Object.values<Record<string, Operation>>(document.paths))
    for (const operation of Object.values(operations)) {
      if (operation.parameters)
        operation.parameters = operation.parameters.filter(({ $ref = '' }) => !sentByClient.has($ref))
      for (const status of Object.keys(operation.responses)) if (isRefusal(status)) delete operation.responses[status]
    }
  const types = astToString(
    // a field with a default may be left out of a request
    await openapiTypescript(document, { defaultNonNullable: false }),
  )
  // a method or a kind of parameter that a path does not have needs no line
  return types.replaceAll(
    /^ *(get|put|post|delete|options|head|patch|trace|query|header|path|cookie)\?: never;\n/gm,
    '',
  )
}

/** A schema may have a property that is called `title`. */
const isProperties = (owner: unknown): boolean =>
  typeof owner === 'object' &&
  owner !== null &&
  !('type' in owner && typeof owner.type === 'string') &&
  Object.values(owner).every(value => typeof value === 'object')

const urlOf = (path: string) => new URL(`../../${path}`, import.meta.url)
const madeAt = (path: string) => statSync(urlOf(path), { throwIfNoEntry: false })?.mtimeMs ?? 0
const made = madeAt('web/api-types.d.ts')
if (['contract/openapi.json', 'packages/api-types/generate.ts'].some(source => madeAt(source) > made))
  writeFileSync(urlOf('web/api-types.d.ts'), await apiTypes())
