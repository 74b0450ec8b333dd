import { streamEvents } from '#contract/stream.ts'
import type { Caller } from '#control-plane/base/caller.ts'
import { checkTenantScope } from '#control-plane/http/access/tenant.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { eventStream } from '#control-plane/http/reply.ts'
import { findCheck } from '#control-plane/monitoring/checks/find.ts'
import { StreamClient } from './client.ts'
import { streamHubOf } from './hub.ts'
import { accessOf, isAskedFor, StreamQuery, type Topics, topicNames } from './topics.ts'

export const openStream = endpoint({
  method: 'GET',
  path: '/stream',
  summary: 'Open a stream of changes',
  description:
    'Server-Sent Events. `monitors` has the events `monitor.*`, `warning.*`, `dns.*` and `certificate.*`, ' +
    '`incidents` has `incident.*`: with the data of the webhooks of these names. `monitors` has `monitor.status` ' +
    'too, the status that a monitor has now, and `runs:{check}` has `check.result`, each result of a region as it ' +
    'comes in. An id is a place in the sequence of events; `position` has one without an event. A client that ' +
    'reconnects sends its last id as `Last-Event-ID` and gets what it has missed; an event that was written at the ' +
    'same time may come twice. `reset`: the id is unknown or more than five minutes old, or too many events are ' +
    'missing, so read the lists again. Results have no id and are not repeated. A comment is sent each 20 seconds. ' +
    'The stream ends seconds after its caller may no longer have it. A token has at most 3 streams in a process; at ' +
    'a limit the answer is 503 with the code `too_many_streams`. `incidents` needs the scope `incidents:read` too, ' +
    'and `runs` `checks:read`.',
  tag: 'stream',
  access: accessOf.monitors,
  query: StreamQuery,
  mayFindNothing: true,
  compress: false,
  returns: eventStream<Topics>(streamEvents),

  async handle({ em, query: { topics }, tenant, caller }) {
    requireTopics(caller, topics)
    for (const check of topics.runs) await findCheck(em, tenant, check)
    return topics
  },

  async stream(topics, { request, response, headers, tenant, caller, services, readmit }) {
    const hub = streamHubOf(services)
    const client: StreamClient = new StreamClient({
      request,
      response,
      headers,
      tenantId: tenant.id,
      caller,
      topics,
      lastId: lastIdOf(request.headers['last-event-id']),
      verify: async () => requireTopics(await readmit(), topics),
      onEnd: reason => hub.ended(client, reason),
    })
    await hub.open(client)
  },
})

/** Refuses topics that the scopes of the caller do not cover. */
function requireTopics(caller: Caller, topics: Topics): void {
  for (const name of topicNames) if (isAskedFor(topics, name)) checkTenantScope(caller, accessOf[name])
}

/** What is no id that we give is treated as one that is no longer known. */
function lastIdOf(header: string | string[] | undefined): string | null {
  if (header === undefined || header === '') return null
  return typeof header === 'string' && /^\d{1,18}$/.test(header) ? header : '0'
}
