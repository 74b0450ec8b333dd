import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { fill, unknownPlaceholder } from '#control-plane/publishing/status-pages/update-templates/placeholders.ts'
import { anIncident } from '#test/control-plane/monitoring/monitored.ts'
import { app, given } from '#test/support/app.ts'
import { addTo, aPage } from './pages.ts'

const path = '/status-page-templates'
const newTemplate = (changes: object = {}) => ({
  name: 'Outage',
  phase: 'investigating',
  title: '{{component_names}} is out',
  body: 'Since {{ started_at }} {{component_names}} does not answer. See {{page_url}}.',
  ...changes,
})
const errorFields = ({ body }: { body: { errors?: object } }) => Object.keys(body.errors ?? {})

describe('placeholders', () => {
  test('are filled once, with values as they are', () => {
    const values = { page_name: '{{page_url}} $& <b>', page_url: 'U' }
    expect(fill('{{page_name}}|{{ page_url }}|{{monitor_name}}|{{other}}', values)).toBe(
      '{{page_url}} $& <b>|U||{{other}}',
    )
  })

  test('that stand for nothing are found', () => {
    expect(unknownPlaceholder('{{page_name}} {{nope}} {{no}}')).toBe('nope')
    expect(unknownPlaceholder('{{page_name}} {{7*7}} {page}')).toBeUndefined()
  })
})

describe('templates for updates', () => {
  test('are created, listed, updated and deleted', async () => {
    const team = await given.tenant()
    const { status, body } = await team.post(path, newTemplate())
    expect([status, body.data]).toMatchObject([201, newTemplate()])
    const place = `${path}/${body.data.id}`
    expect((await team.get(place)).body.data).toEqual(body.data)
    expect((await team.get(path)).body.data).toEqual([body.data])
    expect((await team.patch(place, { title: null, phase: 'resolved' })).body.data).toMatchObject({
      title: null,
      phase: 'resolved',
      body: body.data.body,
    })
    expect((await team.delete(place)).status).toBe(204)
    expect((await team.get(place)).status).toBe(404)
    expect(await app.audited(team)).toEqual([
      'status_page.template_created',
      'status_page.template_updated',
      'status_page.template_deleted',
    ])
  })

  test.each([
    ['name', { name: ' ' }],
    ['phase', { phase: 'over' }],
    ['title', { title: 'x'.repeat(256) }],
    ['title', { title: '{{nope}}' }],
    ['body', { body: '' }],
    ['body', { body: 'x'.repeat(10_001) }],
    ['body', { body: '{{password_hash}}' }],
  ])('are refused for their %s: %j', async (field, changes) => {
    const answer = await (await given.tenant()).post(path, newTemplate(changes))
    expect([answer.status, errorFields(answer)]).toEqual([422, [field]])
  })

  test('are at most a hundred, however many are created at once', async () => {
    const team = await given.tenant()
    await app.services.platform.query(
      `insert into status_page_update_templates (id, tenant_id, name, body)
       select gen_random_uuid(), $1, 'X', 'X' from generate_series(1, 95)`,
      [team.tenantId],
    )
    const answers = await Promise.all(Array.from({ length: 20 }, () => team.post(path, newTemplate())))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5)
    expect(errorFields(answers.find(({ status }) => status === 422)!)).toEqual(['status_page_templates'])
  })

  test('are filled for a page and an incident of the team', async () => {
    const team = await given.tenant()
    const page = await aPage(team, { name: 'Acme', timezone: 'Europe/Berlin' })
    const { id } = await addTo(team, `${page.id}/components`, {
      type: 'static',
      static_status: 'operational',
      name: '<b>Shop</b>',
    })
    const incident_id = await anIncident(team, { startedAt: new Date('2026-01-15T08:30:00Z') })
    const template = (
      await team.post(path, newTemplate({ body: '{{monitor_name}}: {{incident_title}}, {{started_at}}' }))
    ).body.data
    const fillFor = (body: object) => team.post(`${path}/${template.id}/fill`, body)
    const filled = await fillFor({ status_page_id: page.id, incident_id, component_ids: [id] })
    expect(filled.body.data).toEqual({
      phase: 'investigating',
      title: '<b>Shop</b> is out',
      body: 'Shop: Shop is down, 15 January 2026 at 09:30 CET',
    })
    const other = await given.tenant()
    const [foreign, foreignPage] = [await anIncident(other), await aPage(other)]
    for (const [body, field] of [
      [{ status_page_id: foreignPage.id }, 'status_page_id'],
      [{ status_page_id: page.id, incident_id: foreign }, 'incident_id'],
      [{ status_page_id: page.id, component_ids: [randomUUID()] }, 'component_ids.0'],
    ] as const)
      expect(errorFields(await fillFor(body))).toEqual([field])
    expect((await other.post(`${path}/${template.id}/fill`, { status_page_id: foreignPage.id })).status).toBe(404)
  })

  test('are no other team’s, and the reseller’s too', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const { id } = (await reseller.post(team.path + path, newTemplate())).body.data
    expect((await team.get(`${path}/${id}`)).status).toBe(200)
    const other = await given.tenant()
    for (const answer of [
      await other.get(`${path}/${id}`),
      await other.patch(`${path}/${id}`, { name: 'Mine' }),
      await other.delete(`${path}/${id}`),
    ])
      expect(answer.status).toBe(404)
  })
})
