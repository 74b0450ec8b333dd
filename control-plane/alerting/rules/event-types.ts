import { z } from 'zod'
import { aliases, events } from '#contract/events.ts'
import { mayRead } from '#control-plane/alerting/channels/input.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'

const EventTypeView = z
  .object({
    name: z.string(),
    description: z.string(),
    alias_of: z
      .string()
      .nullable()
      .meta({ description: 'The event that this is another name of. Rules for this name get it under this name.' }),
    example: z.record(z.string(), z.unknown()).meta({ description: 'Its fields besides `event` and `timestamp`.' }),
  })
  .meta({ id: 'EventType' })

const ofEvents = [...events].map(([name, { description, example }]) => ({ name, description, alias_of: null, example }))
const ofAliases = Object.entries(aliases).map(([name, meant]) => ({
  name,
  description: events.get(meant)?.description ?? '',
  alias_of: meant,
  example: events.get(meant)?.example ?? {},
}))

export const listEventTypes = endpoint({
  method: 'GET',
  path: '/notification-rules/event-types',
  summary: 'List the events that a rule may subscribe to',
  description: 'With an example of each.',
  access: mayRead,
  returns: ok({ data: z.array(EventTypeView) }),
  handle: () => ({ data: [...ofEvents, ...ofAliases] }),
})
