import { z } from 'zod'
import { invalid, Refusal } from '#control-plane/base/refusal.ts'
import { requireFresh } from '#control-plane/http/access/proofs.ts'
import { endpoint, type RequestContext } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { actIn } from '#control-plane/outbox/unit-of-work.ts'
import { changeTeam } from './change.ts'
import { deleteTeam } from './delete.ts'
import { refuseUnknown } from './find.ts'
import { fields } from './input.ts'
import { lockTeams } from './load.ts'
import { pauseReason, pauseTeam } from './pause.ts'
import type { TeamRow } from './row.ts'
import { unpauseTeam } from './unpause.ts'

const maxTeams = 250
/** Enough for 250 names of a kilobyte, since each deleted team is named. */
const bodyBytes = 524_288

const ids = z.array(z.uuid().toLowerCase()).min(1).max(maxTeams)
const byLowerCase = (names: Record<string, string>) =>
  new Map(Object.entries(names).map(([id, name]) => [id.toLowerCase(), name]))

const body = z.discriminatedUnion('action', [
  z.object({ action: z.literal('pause'), ids, reason: pauseReason }),
  z.object({ action: z.literal('unpause'), ids }),
  z.object({ action: z.literal('plan'), ids, plan: fields.plan }),
  z.object({ action: z.literal('label'), ids, label: fields.label }),
  z.object({
    action: z.literal('delete'),
    ids,
    confirm: z.record(z.string().max(36), z.string()).meta({
      id: 'NamesToConfirm',
      description: 'The exact name of each team by its id. Without it a team is not deleted.',
    }),
  }),
])
type Batch = z.output<typeof body>

const Outcome = z.object({
  id: z.uuid(),
  result: z.enum(['done', 'failed']),
  code: z.string().nullable(),
  message: z.string().nullable(),
})

export const batchManagedTeams = endpoint({
  method: 'POST',
  path: '/reseller/managed-teams/batch',
  summary: 'Change up to 250 managed teams at once',
  description:
    'Pause, unpause, label, delete or change the plan. ' +
    'Answers one result for each requested team, in that order. A failure of one team does not affect the others.',
  access: { reseller: 'teams:write' },
  body,
  bodyLimit: bodyBytes,
  returns: ok({ data: z.object({ done: z.int(), failed: z.int(), results: z.array(Outcome) }) }),

  async handle(context) {
    if (context.body.action === 'delete') requireFresh(context.caller, context.now)
    const { em, body, services, tenant: reseller } = context
    const asked = [...new Set(body.ids)]
    const teams = new Map((await lockTeams(em, asked)).map(team => [team.id, team]))
    const outcomes = new Map<string, z.input<typeof Outcome>>()
    const actOn = actionOf(context, body)
    // in the order of their locks
    for (const [id, team] of teams) outcomes.set(id, await outcomeOf(id, () => actOn(team)))
    for (const id of asked)
      if (!teams.has(id)) outcomes.set(id, await outcomeOf(id, () => refuseUnknown(services.platform, reseller, id)))
    const results = asked.flatMap(id => outcomes.get(id) ?? [])
    const done = results.filter(({ result }) => result === 'done').length
    return { data: { done, failed: results.length - done, results } }
  },
})

async function outcomeOf(id: string, act: () => Promise<void>): Promise<z.input<typeof Outcome>> {
  try {
    await act()
    return { id, result: 'done', code: null, message: null }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return {
      id,
      result: 'failed',
      code: error.code,
      message: String(Object.values(error.errors ?? {})[0]?.[0] ?? error.text),
    }
  }
}

function actionOf(
  context: Pick<RequestContext, 'em' | 'now' | 'emit' | 'start' | 'audit' | 'mail'>,
  batch: Batch,
): (team: TeamRow) => Promise<void> {
  switch (batch.action) {
    case 'pause':
      return async team => {
        await actIn(context.em, team.tenant_id)
        await pauseTeam(context, team, batch.reason)
      }
    case 'unpause':
      return async team => {
        await actIn(context.em, team.tenant_id)
        await unpauseTeam(context, team)
      }
    case 'label':
      return team => changeTeam(context, team, { label: batch.label })
    case 'plan':
      return async team => {
        await actIn(context.em, team.tenant_id)
        await changeTeam(context, team, { plan: batch.plan })
      }
    case 'delete': {
      const confirmed = byLowerCase(batch.confirm)
      return async team => {
        if (confirmed.get(team.id) !== team.name)
          throw invalid({ confirm: ['Is not the name of this team.'] }, 'name_mismatch')
        await deleteTeam(context, team)
      }
    }
  }
}
