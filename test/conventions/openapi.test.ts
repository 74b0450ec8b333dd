import { globSync, readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { generated, openapiText } from '#cli/commands/openapi.ts'
import { subscribable } from '#contract/events.ts'
import { channelTypes } from '#contract/plans.ts'
import { endpoints } from '#control-plane/endpoints.ts'
import { errorCodes } from '#control-plane/http/error-codes.ts'
import { describe } from '#control-plane/http/openapi/document.ts'
import { walk } from '#control-plane/http/openapi/slim.ts'
import { exampleOf, nameOf } from '#test/support/examples.ts'
import { follow } from '#test/support/follow.ts'

const openapi = openapiText()
/** A copy for each test, and the text made once: to make it takes half a second. */
const readDocument = () => JSON.parse(openapi)

test('the committed OpenAPI document, and what the app knows of kinds, are those the declarations give', () => {
  for (const [file, text] of Object.entries(generated))
    expect(readFileSync(`contract/${file}`, 'utf8') === text(), `${file}: type npm run openapi`).toBe(true)
})

test('every operation says which statuses it answers, who may call it, and takes no undeclared body', () => {
  const { paths } = readDocument() as {
    paths: Record<
      string,
      Record<string, { operationId: string; security?: unknown[]; responses: Record<string, unknown> }>
    >
  }
  const ids = new Set<string>()
  for (const [path, item] of Object.entries(paths))
    for (const [method, operation] of Object.entries(item)) {
      const name = `${method} ${path}`
      expect(ids.has(operation.operationId), name).toBe(false)
      ids.add(operation.operationId)
      expect(Object.keys(operation.responses), name).toContain('429')
      if (operation.security)
        expect(Object.keys(operation.responses), name).toEqual(expect.arrayContaining(['401', '403']))
      if (path.startsWith('/api/v1/reseller/')) expect(JSON.stringify(operation.security), name).toContain('reseller')
    }
  expect(ids.size).toBeGreaterThan(60)
})

test('an operationId is a path of words, names one operation, is no namespace of another, and is short', () => {
  const { paths } = readDocument() as { paths: Record<string, Record<string, { operationId: string }>> }
  const ids = Object.values(paths).flatMap(item => Object.values(item).map(({ operationId }) => operationId))
  const doubled = ids.filter((id, index) => ids.indexOf(id) !== index)
  expect(doubled).toEqual([])
  expect(ids.filter(id => !/^[a-z][A-Za-z]*(\.[a-z][A-Za-z]*){1,4}$/.test(id))).toEqual([])
  expect(ids.filter(id => ids.some(other => other.startsWith(`${id}.`)))).toEqual([])
  // the two that are longer name what their paths name
  const long = ['managedTeams.notificationChannels.recipients.resend', 'managedTeams.notificationRules.eventTypes.list']
  expect(ids.filter(id => id.length > 45).toSorted()).toEqual(long)
  for (const id of [
    'monitors.list',
    'incidents.acknowledge',
    'managedTeams.monitors.list',
    'managedTeams.create',
    'reseller.webhooks.update',
    'auth.signIn',
  ])
    expect(ids).toContain(id)
})

interface Linked {
  operationId: string
  responses: Record<string, { links?: Record<string, { operationId: string; parameters: Record<string, string> }> }>
}

test('a created record links to the operations on it, with each parameter of their paths', () => {
  const { paths } = readDocument() as { paths: Record<string, Record<string, Linked>> }
  const all = Object.entries(paths).flatMap(([path, item]) => Object.values(item).map(found => ({ path, ...found })))
  const pathOf = new Map(all.map(({ operationId, path }) => [operationId, path]))
  const linksOf = (id: string) => all.find(({ operationId }) => operationId === id)?.responses['201']?.links ?? {}
  expect(Object.keys(linksOf('monitors.create'))).toEqual(['get', 'update', 'delete'])
  expect(linksOf('managedTeams.create').get).toEqual({
    operationId: 'managedTeams.get',
    parameters: { managed_team: '$response.body#/data/id' },
  })
  const links = all.flatMap(({ responses }) => Object.values(responses[201]?.links ?? {}))
  expect(links.length).toBeGreaterThan(60)
  for (const { operationId, parameters } of links) {
    const names = [...(pathOf.get(operationId) ?? '').matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    expect(Object.keys(parameters), operationId).toEqual(names)
  }
})

test('the document is served in 2.8 kB an operation (1.1 MB of 395), says nothing twice, and every reference leads somewhere', () => {
  const document = readDocument()
  const text = JSON.stringify(document)
  const count = Object.values<object>(document.paths).flatMap(Object.keys).length
  console.log(`openapi.json: ${text.length} bytes as served, ${count} operations, ${openapi.length} as committed`)
  expect(text.length / count).toBeLessThan(2_800)
  expect(text).not.toContain(String(Number.MAX_SAFE_INTEGER))
  expect(text).not.toContain('"propertyNames":{"type":"string"}')
  expect(text).not.toMatch(/"format":"(uuid|date|date-time|email)","pattern"/)
  for (const [ref] of text.matchAll(/"#\/components\/[^"]+"/g))
    expect(follow(document, { $ref: JSON.parse(ref) }), ref).toBeDefined()
  const operations = Object.values<Record<string, { responses: Record<string, object> }>>(document.paths).flatMap(
    item => Object.values(item),
  )
  const refusals = operations.flatMap(({ responses }) =>
    Object.entries(responses).filter(([status]) => Number(status) >= 300),
  )
  // a badge of nothing is a picture
  expect(refusals.filter(([, answer]) => !('$ref' in answer) && !JSON.stringify(answer).includes('svg'))).toEqual([])
})

test('every body and every reply has an example that its schema allows, and no example is of anything else', () => {
  const document = readDocument()
  const { schemas } = document.components
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'openapi', components: document.components })
  const expected = new Set<string>()
  for (const operation of Object.values<Record<string, object>>(document.paths).flatMap(Object.values))
    for (const part of [operation.requestBody, ...successes(operation.responses)].filter(Boolean)) {
      const { content } = follow<{ content?: Record<string, { schema: { $ref?: string } }> }>(document, part)
      const schema = (content?.['application/json'] ?? content?.['application/scim+json'])?.schema
      if (!schema) continue
      expect(nameOf(schema), `${operation.operationId} has a body that is described in place`).toBeDefined()
      expected.add(exampleOf(schemas, nameOf(schema) ?? '').name)
    }
  const wrong = [...expected].flatMap(name => {
    const examples: unknown[] = schemas[name].examples ?? []
    if (examples.length === 0) return [`${name} has no example`]
    const validate = ajv.getSchema(`openapi#/components/schemas/${name}`)!
    return examples.flatMap(example => (validate(example) ? [] : [`${name}: ${JSON.stringify(validate.errors)}`]))
  })
  expect(wrong).toEqual([])
  for (const file of ['contract/examples.json', 'contract/chosen-examples.json']) {
    const known = JSON.parse(readFileSync(file, 'utf8'))
    expect(Object.keys(known).filter(name => !expected.has(name))).toEqual([])
  }
})
const successes = (responses: Record<string, object>) =>
  Object.entries(responses).flatMap(([status, response]) => (status.startsWith('2') ? [response] : []))

test('the document for resellers has the reseller’s operations, the webhooks, and only what they use', () => {
  const document = describe(endpoints, 'http://localhost:8080', 'reseller')
  const paths = Object.keys(document.paths ?? {})
  expect(paths.filter(path => !path.startsWith('/api/v1/reseller/'))).toEqual([])
  expect(paths).toContain('/api/v1/reseller/managed-teams/{managed_team}/monitors')
  expect(Object.keys(document.webhooks ?? {})).toContain('incident.created')
  const tagged = Object.values(document.paths ?? {}).flatMap(item => Object.values(item).flatMap(({ tags }) => tags))
  expect(document.tags?.map(({ name }) => name).toSorted()).toEqual([...new Set(['webhooks', ...tagged])].toSorted())
  expect(JSON.stringify(document).length).toBeLessThan(openapi.length)
})

test('no reply forbids fields that may come later', () => {
  const document = readDocument()
  const found: string[] = []
  const visit = (value: unknown, place: string, seen: ReadonlySet<unknown>): void => {
    if (typeof value !== 'object' || value === null) return
    const part = follow(document, value)
    if (seen.has(part)) return
    if ('additionalProperties' in part && part.additionalProperties === false) found.push(place)
    for (const [name, inner] of Object.entries(part)) visit(inner, `${place}/${name}`, new Set([...seen, part]))
  }
  for (const name of Object.keys(document.components.schemas))
    if (/(Response|Reply|List)$/.test(name)) visit(document.components.schemas[name], name, new Set())
  expect(found).toEqual([])
})

test('every choice that is offered in five places has a name', () => {
  const { components, paths } = readDocument()
  const counts = new Map<string, number>()
  walk({ paths, schemas: components.schemas }, part => {
    if (Array.isArray(part.enum) && part.enum.length > 1)
      counts.set(part.enum.join(), (counts.get(part.enum.join()) ?? 0) + 1)
  })
  expect([...counts].filter(([, count]) => count >= 5)).toEqual([])
})

test('no part would be named by a generator as another part is: choices by their words, objects by their place', () => {
  const { components } = readDocument()
  const schemas = Object.entries<Record<string, unknown>>(components.schemas)
  const pascal = (name: string) => name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const clashes: string[] = []
  for (const [name, schema] of schemas) {
    const words = (schema.enum ?? []) as string[]
    const named = (schema['x-enum-varnames'] ?? words) as string[]
    if (new Set(named.map(word => word.replaceAll(/\W/g, '').toUpperCase())).size !== words.length) clashes.push(name)
    for (const [field, part] of Object.entries((schema.properties ?? {}) as Record<string, Record<string, unknown>>))
      if (part.type === 'object' && components.schemas[name + pascal(field)]) clashes.push(`${name}.${field}`)
  }
  expect(clashes).toEqual([])
})

test('parameters of a query are described by what they mean: whole numbers, booleans, lists of known words', () => {
  const document = readDocument()
  const parameter = (path: string, wanted: string) =>
    document.paths[`/api/v1${path}`].get.parameters
      .map((given: object) => follow<{ name?: string }>(document, given))
      .find(({ name }: { name?: string }) => name === wanted)
  expect(parameter('/monitors', 'per_page').schema).toEqual({
    type: 'integer',
    format: 'int32',
    minimum: 1,
    maximum: 100,
    default: 15,
  })
  expect(parameter('/monitors', 'is_enabled').schema).toEqual({ type: 'boolean' })
  const severity = parameter('/incidents', 'severity')
  expect(severity).toMatchObject({ style: 'form', explode: false, schema: { type: 'array' } })
  expect(follow(document, severity.schema.items)).toEqual({ type: 'string', enum: ['critical', 'major', 'minor'] })
})

test('the proof of an incident and the configurations of channels are described field by field', () => {
  const { schemas } = readDocument().components
  expect(schemas.Incident.properties.quorum).toEqual({ $ref: '#/components/schemas/QuorumProof' })
  expect(schemas.QuorumProof.properties.regions.additionalProperties).toEqual({
    $ref: '#/components/schemas/RegionProof',
  })
  for (const name of ['NotificationChannel', 'NewNotificationChannel'])
    expect(Object.keys(schemas[name].discriminator.mapping).toSorted(), name).toEqual(channelTypes.toSorted())
  expect(schemas.NewSlackChannel.properties.config).toMatchObject({
    required: ['webhook_url'],
    properties: { webhook_url: { writeOnly: true } },
  })
})

test('every tag is described, in one group, and has operations', () => {
  const { paths, tags, 'x-tagGroups': groups } = readDocument()
  const used = Object.values<Record<string, { tags: string[] }>>(paths).flatMap(item =>
    Object.values(item).flatMap(operation => operation.tags),
  )
  const described = tags.map(({ name }: { name: string }) => name)
  expect([...new Set(used)].toSorted()).toEqual(described.toSorted())
  expect(groups.flatMap((group: { tags: string[] }) => group.tags)).toEqual(described)
})

test('every code of a refusal is listed, and every code that is listed is one', () => {
  const source = globSync('control-plane/**/*.ts')
    .filter(file => !file.endsWith('error-codes.ts'))
    .map(file => readFileSync(file, 'utf8'))
    .join('\n')
  const thrown = [
    ...source.matchAll(/new Refusal\(\s*\d+,\s*'([a-z_]+)'/g),
    ...source.matchAll(/\b(?:throw|=>|return) (?:invalid|forbidden)\([^\n]*, '([a-z_]+)'\)/g),
  ].map(([, code]) => code)
  expect(thrown.length).toBeGreaterThan(80)
  expect([...new Set(thrown)].filter(code => !errorCodes.some(known => known === code))).toEqual([])
  expect(errorCodes.filter(code => !source.includes(`'${code}'`))).toEqual([])
})

test('what is sent and never shown is marked so', () => {
  const { schemas } = readDocument().components
  for (const [schema, field] of [
    ['AuthSignInRequest', 'password'],
    ['SmtpConfigChanges', 'password'],
    ['NewWebhookChannel', 'secret'],
  ] as const) {
    const { properties } = schemas[schema]
    expect((properties.config?.properties ?? properties)[field], `${schema} ${field}`).toMatchObject({
      writeOnly: true,
    })
  }
})

test('every event is described as a webhook, and its example is what the description says', () => {
  const { webhooks, components } = readDocument() as {
    webhooks: Record<
      string,
      {
        post: {
          requestBody: { content: { 'application/json': { schema: object; example: Record<string, unknown> } } }
          parameters: { $ref: string }[]
        }
      }
    >
    components: { parameters: Record<string, { name: string; description?: string }> }
  }
  expect(Object.keys(webhooks).toSorted()).toEqual(subscribable.toSorted())
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'openapi', components })
  const schemaOf = (schema: object) =>
    JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/'))
  for (const [name, { post }] of Object.entries(webhooks)) {
    const { schema, example } = post.requestBody.content['application/json']
    const holds = ajv.compile(schemaOf(schema))
    expect(holds(example), `${name}: ${JSON.stringify(holds.errors)}`).toBe(true)
    expect(holds({ ...example, event: 'another' }), name).toBe(false)
    expect(example.event).toBe(name)
    expect(post.parameters.map(({ $ref }) => components.parameters[$ref.split('/').at(-1) ?? '']?.name)).toEqual([
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
      'X-Webhook-Signature',
    ])
  }
})
