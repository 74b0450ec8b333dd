import { describe, expect, test } from 'vitest'
import chosen from '#contract/chosen-examples.json' with { type: 'json' }
import openapi from '#contract/openapi.json' with { type: 'json' }
import { given } from '#test/support/app.ts'

type Operation = { requestBody?: { content?: Record<string, { schema?: { $ref?: string } }> } }

const names = Object.keys(chosen) as (keyof typeof chosen)[]
/** Where a body of this component is sent to create something. */
const pathOf = (name: string) =>
  Object.entries(openapi.paths as Record<string, { post?: Operation }>).find(
    ([path, { post }]) =>
      !path.includes('{') &&
      post?.requestBody?.content?.['application/json']?.schema?.$ref === `#/components/schemas/${name}`,
  )?.[0]

describe('the first example of a request', () => {
  test.each(names.filter(name => name !== 'AuthSignInRequest'))('%s is accepted as it stands', async name => {
    const path = pathOf(name)?.replace('/api/v1', '') ?? ''
    const caller =
      name === 'TenantsCreateRequest'
        ? await given.operator()
        : path.startsWith('/reseller')
          ? await given.reseller()
          : await given.tenant()
    const mark = crypto.randomUUID().slice(0, 8)
    // names that are taken once in an installation
    const text = JSON.stringify(chosen[name])
      .replace(/"slug":"([\w-]+)"/, `"slug":"$1-${mark}"`)
      .replace('ada@example.com', `${mark}@example.com`)
    const { status, text: answer } = await caller.post(path, JSON.parse(text))
    expect([200, 201, 202], `${path}: ${answer}`).toContain(status)
  })

  test('is at most half as long as the one with everything', () => {
    const [simple, whole] = (openapi.components.schemas.NewMonitor as { examples: object[] }).examples
    expect(simple).toEqual(chosen.NewMonitor)
    expect(JSON.stringify(simple).length * 2).toBeLessThan(JSON.stringify(whole).length)
  })
})
