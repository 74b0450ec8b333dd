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
      .meta({ description: 'Another name for this event, under which it is told to whoever subscribed to it.' }),
    example: z
      .record(z.string(), z.unknown())
      .meta({ description: 'What it carries besides `event` and `timestamp`.' }),
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
  summary: 'List every event a rule may be subscribed to, with an example',
  access: mayRead,
  returns: ok({ data: z.array(EventTypeView) }),
  handle: () => ({ data: [...ofEvents, ...ofAliases] }),
})
