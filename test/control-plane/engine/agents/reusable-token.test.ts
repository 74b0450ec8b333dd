import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createEnrolment, revokeEnrolments } from '#control-plane/engine/agents/create-enrolment.ts'
import { enrolAgent } from '#control-plane/engine/agents/enrol.ts'
import { app } from '#test/support/app.ts'
import { enrolment, makeKeys } from './raw-agent.ts'

const { platform } = app.services
const aRegion = () => `reusable-${randomUUID().slice(0, 8)}`
const refused = { status: 401 }

/** Enrols an agent with keys of its own, as a pod of a StatefulSet is named. */
async function enrol(token: string, region: string, name: string, keys = makeKeys()): Promise<string> {
  return enrolAgent(platform, { ...enrolment(await keys, token, region), name })
}

const agentsOf = async (region: string) =>
  (
    await platform.query<{ id: string; is_revoked: boolean }>(
      'select id, revoked_at is not null as is_revoked from agents where region = $1 order by enrolled_at',
      [region],
    )
  ).rows

const fallSilent = (id: string) =>
  platform.query(
    `update agents set last_seen_at = now() - interval '1 minute', enrolled_at = now() - interval '1 hour' where id = $1`,
    [id],
  )

describe('a reusable enrolment token', () => {
  test('enrols each pod of a region, and the same one again when its answer was lost', async () => {
    const region = aRegion()
    const { plain } = await createEnrolment(platform, region, { isReusable: true })
    const keys = makeKeys()
    const first = await enrol(plain, region, 'agent-0', keys)
    const second = await enrol(plain, region, 'agent-1')
    expect(await enrol(plain, region, 'agent-0', keys)).toBe(first)
    expect(await agentsOf(region)).toEqual([
      { id: first, is_revoked: false },
      { id: second, is_revoked: false },
    ])
  })

  test('enrols a pod that lost its volume, in the place of the silent agent of its name alone', async () => {
    const region = aRegion()
    const { plain } = await createEnrolment(platform, region, { isReusable: true })
    const lost = await enrol(plain, region, 'agent-0')
    const other = await enrol(plain, region, 'agent-1')
    for (const id of [lost, other]) await fallSilent(id)
    const again = await enrol(plain, region, 'agent-0')
    expect(await agentsOf(region)).toEqual([
      { id: lost, is_revoked: true },
      { id: other, is_revoked: false },
      { id: again, is_revoked: false },
    ])
    // one that reports is another machine of that name
    const beside = await enrol(plain, region, 'agent-0')
    expect((await agentsOf(region)).filter(({ is_revoked }) => is_revoked)).toEqual([{ id: lost, is_revoked: true }])
    expect(beside).not.toBe(again)
  })

  test('does not revoke agents that enrolled with another token', async () => {
    const region = aRegion()
    const once = await createEnrolment(platform, region)
    const byHand = await enrol(once.plain, region, 'agent-0')
    await fallSilent(byHand)
    const { plain } = await createEnrolment(platform, region, { isReusable: true })
    await enrol(plain, region, 'agent-0')
    expect((await agentsOf(region)).map(({ is_revoked }) => is_revoked)).toEqual([false, false])
  })

  test('is for its region alone, ends after its days and when it is revoked, and its agents go on', async () => {
    const region = aRegion()
    const { plain, expiresAt } = await createEnrolment(platform, region, { isReusable: true, days: 30 })
    expect((Date.parse(expiresAt) - Date.now()) / 86_400_000).toBeCloseTo(30, 1)
    await expect(enrol(plain, aRegion(), 'agent-0')).rejects.toMatchObject({ status: 422 })
    const keys = makeKeys()
    const id = await enrol(plain, region, 'agent-0', keys)
    expect(await revokeEnrolments(platform, region)).toBe(1)
    await expect(enrol(plain, region, 'agent-1')).rejects.toMatchObject(refused)
    expect(await enrol(plain, region, 'agent-0', keys)).toBe(id)
    await platform.query('update agents set revoked_at = now() where id = $1', [id])
    await expect(enrol(plain, region, 'agent-0', keys)).rejects.toMatchObject(refused)
  })

  test('without a region cannot be stored, and a token for one agent still enrols one', async () => {
    await expect(createEnrolment(platform, null, { isReusable: true })).rejects.toThrow('agent_enrolments_reusable')
    const region = aRegion()
    const { plain } = await createEnrolment(platform, region)
    await enrol(plain, region, 'agent-0')
    await expect(enrol(plain, region, 'agent-1')).rejects.toMatchObject(refused)
  })
})
