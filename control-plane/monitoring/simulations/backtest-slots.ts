import { Refusal, unavailable } from '#control-plane/kernel/refusal.ts'

/** Simulations under way in this process, by the tenant that asked. Each keeps a core busy for a second or two. */
const underWay = new Set<string>()
const mostAtOnce = 2

/** One at a time for each tenant, and a few at once; whoever is too many is told to come again. */
export async function inTurn<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
  if (underWay.has(tenantId))
    throw new Refusal(429, 'busy', 'A simulation of this team is under way: wait for its answer.', { headers: { 'Retry-After': '2' } })
  if (underWay.size >= mostAtOnce) throw unavailable('Too many simulations are under way.', 2)
  underWay.add(tenantId)
  try {
    return await work()
  } finally {
    underWay.delete(tenantId)
  }
}
