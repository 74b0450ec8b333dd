import { describe, expect, test } from 'vitest'
import { aliases, canonicalName, events } from '#contract/events.ts'
import { alertKeyOf, phaseOf, placed } from '#control-plane/alerting/channels/kinds/alert-key.ts'
import { complete } from '#control-plane/alerting/channels/kinds/custom/complete.ts'
import { kinds } from '#control-plane/alerting/channels/kinds/index.ts'
import type { Message } from '#control-plane/alerting/channels/kinds/kind.ts'
import { bodyOf, example, sending } from './messages.ts'

const fields = { topic: 'ops', token: 'token', user: 'user', api_key: 'key' }
async function presetOf(preset: string, message: Message) {
  const url = preset === 'google_chat' ? { url: 'https://chat.googleapis.example.com/v1/spaces/A/messages?key=k' } : {}
  const config = kinds.custom.config.parse(complete({ preset, fields, ...url }))
  const outgoing = await kinds.custom.write(message, config as never, sending)
  if (!('url' in outgoing)) throw new Error('No request is written.')
  return { url: outgoing.url, body: JSON.parse(outgoing.body) }
}
const incidentOf = (event: string) => ({ ...example(event), payload: { ...example(event).payload, ...about } })
const about = { incident_id: '0b9f4e0a-3a8e-4b57-8c0c-2f9f3b1d5e21', severity: 'critical' }
const key = `vedette-incident-${about.incident_id}`
const ofIncidents = ['incident.created', 'incident.escalated', 'incident.escalation_exhausted']

describe('the phase of an event', () => {
  test('is placed for every event of the catalogue, and for no event that does not exist', () => {
    const known = [...events.keys()].filter(name => !name.startsWith('email.'))
    const internal = ['invitation.created', 'invitation.resent']
    expect(Object.keys(placed).toSorted()).toEqual([...known, ...internal].toSorted())
  })

  test('of an alias is that of its event', () => {
    for (const alias of Object.keys(aliases)) expect(phaseOf(alias)).toBe(phaseOf(canonicalName(alias)))
  })

  test('of mails that a webhook receives, and of unknown events, is a notice', () => {
    for (const name of ['email.digest', 'email.incident_created', 'later.unknown', 'constructor', 'warning.unknown'])
      expect(phaseOf(name), name).toBe('notice')
  })

  test('is `opened` for all that asks a person to act', () => {
    for (const name of [...ofIncidents, 'slo.budget_burning', 'slo.budget_exhausted', 'on_call.gap_found'])
      expect(phaseOf(name), name).toBe('opened')
  })

  test('of every alert that ends has the key of its beginning', () => {
    const pairs = [
      ['monitor.flapping', 'monitor.flapping_resolved'],
      ['storm.detected', 'storm.resolved'],
      ['warning.ssl_expiring', 'warning.cleared'],
      ['slo.budget_burning', 'slo.budget_recovered'],
      ['slo.budget_exhausted', 'slo.budget_recovered'],
    ] as const
    for (const [begin, end] of pairs) {
      expect(alertKeyOf(example(begin), 'one')).toBe(alertKeyOf(example(end), 'two'))
      expect(phaseOf(end), end).toBe('resolved')
    }
    for (const event of [...ofIncidents, 'incident.acknowledged', 'incident.resolved'])
      expect(alertKeyOf(incidentOf(event), event), event).toBe(key)
    expect(alertKeyOf(example('on_call.gap_found'), 'one')).toBe(
      `vedette-schedule-${events.get('on_call.gap_found')!.example.schedule_id}`,
    )
  })
})

describe('a step of an escalation policy and its end', () => {
  test.each(ofIncidents)('are as loud as the alert: %s', async event => {
    const message = incidentOf(event)
    expect((await presetOf('pushover', message)).body.priority).toBe(1)
    expect((await presetOf('ntfy', message)).body.priority).toBe(5)
    expect((await presetOf('opsgenie', message)).body).toMatchObject({ priority: 'P1', alias: key })
    expect(bodyOf('pagerduty', message)).toMatchObject({
      event_action: 'trigger',
      dedup_key: key,
      payload: { severity: 'critical' },
    })
    expect((await presetOf('google_chat', message)).body).toMatchObject({
      thread: { threadKey: key },
      cardsV2: [{ cardId: key }],
    })
  })

  test('an acknowledgement and the end change the same alert', async () => {
    const acknowledged = await presetOf('opsgenie', incidentOf('incident.acknowledged'))
    expect(acknowledged.url).toBe(`https://api.opsgenie.com/v2/alerts/${key}/acknowledge?identifierType=alias`)
    const ended = await presetOf('opsgenie', incidentOf('incident.resolved'))
    expect(ended.url).toBe(`https://api.opsgenie.com/v2/alerts/${key}/close?identifierType=alias`)
    for (const [event, event_action] of [
      ['incident.acknowledged', 'acknowledge'],
      ['incident.resolved', 'resolve'],
    ] as const)
      expect(bodyOf('pagerduty', incidentOf(event))).toMatchObject({ event_action, dedup_key: key })
    expect((await presetOf('pushover', incidentOf('incident.acknowledged'))).body.priority).toBe(-1)
    expect((await presetOf('google_chat', incidentOf('incident.resolved'))).body.thread.threadKey).toBe(key)
  })
})

test('a gap on call and a budget that is used up are not silent', async () => {
  for (const event of ['on_call.gap_found', 'slo.budget_exhausted', 'slo.budget_burning']) {
    expect((await presetOf('pushover', example(event))).body.priority, event).toBeGreaterThanOrEqual(0)
    expect((await presetOf('ntfy', example(event))).body.priority, event).toBeGreaterThanOrEqual(4)
    expect((await presetOf('opsgenie', example(event))).body.priority, event).toBe('P3')
  }
  expect((await presetOf('pushover', example('slo.budget_exhausted'))).body.priority).toBe(1)
})
