import { expect, test } from 'vitest'
import { openapiText } from '#cli/commands/openapi.ts'
import { given } from '#test/support/app.ts'
import { follow } from '#test/support/follow.ts'

interface Parameter {
  in: string
  name: string
  schema: { type?: string }
}
type Operations = Record<string, { get?: { parameters?: (Parameter | { $ref: string })[] } }>

test('a filter that is sent empty is answered, by every list', async () => {
  const team = await given.tenant()
  const reseller = await given.reseller()
  const document = JSON.parse(openapiText()) as { paths: Operations }
  const wrong: string[] = []
  let count = 0
  for (const [template, { get }] of Object.entries(document.paths)) {
    if (!template.startsWith('/api/v1/') || template.includes('{')) continue
    for (const part of get?.parameters ?? []) {
      const parameter = follow(document, part as Parameter)
      if (parameter.in !== 'query' || parameter.schema.type !== 'array') continue
      count++
      const path = template.slice('/api/v1'.length)
      const { status } = await (path.startsWith('/reseller/') ? reseller : team).get(`${path}?${parameter.name}=`)
      if (status >= 500) wrong.push(`${template}?${parameter.name}= answered ${status}`)
    }
  }
  expect(wrong).toEqual([])
  expect(count).toBeGreaterThan(10)
})
