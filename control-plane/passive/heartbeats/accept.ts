import type { IncomingMessage } from 'node:http'
import { FairSlots } from '#contract/fair-queue.ts'
import { notFound, unavailable } from '#control-plane/base/refusal.ts'
import { mayExceed } from '#control-plane/http/body.ts'
import { rateHeaders, rateKeyOfIp, rateLimits, tooMany } from '#control-plane/http/rate.ts'
import type { Services } from '#control-plane/http/services.ts'
import { unknownPingSendersOf } from '#control-plane/http/unknown-senders.ts'
import { intakeOf, type Taken } from './intake.ts'

/** Who sends a ping, and to which address: the id in a ping URL, or the hash of another provider's secret. */
export interface PingSender {
  address: string
  ip: string
  services: Services
}

/** Pings that wait to be stored. One tenant takes at most as many places as it leaves to others. */
const waiting = new FairSlots(20_000)

/** Refuses senders that tried too many unknown addresses, before anything of their request is read. */
export function refuseStranger({ address, ip, services }: PingSender): void {
  const senders = unknownPingSendersOf(services)
  const now = services.clock.nowMs()
  if (senders.isRefused(address, ip, now))
    throw tooMany({
      limit: rateLimits.public,
      remaining: 0,
      retryAfterS: senders.retryAfterS(ip, now),
      isRefused: true,
    })
}

const fewBytes = 1_024

/** A body that is perhaps larger is read only when its address exists: it takes milliseconds, and memory. */
export const mayBeLarge = (request: IncomingMessage): boolean => mayExceed(request, fewBytes)

/** Stores a ping in its turn. `store` returns null where the address does not exist: that is refused with 404. */
export async function acceptPing(
  { address, ip, services }: PingSender,
  store: (now: number) => Promise<Taken | null>,
): Promise<Taken> {
  const now = services.clock.nowMs()
  const release = waiting.tryTake(intakeOf(services).sharedBy({ address, ip }))
  if (!release) throw unavailable('Too many pings wait to be stored.')
  let taken: Taken | null
  try {
    taken = await store(now)
  } finally {
    release()
  }
  if (!taken) return refuseUnknown({ address, ip, services })
  unknownPingSendersOf(services).accept(address)
  return taken
}

/** Refuses a ping whose address does not exist: with 404, and a sender of too many with 429. */
export async function refuseUnknown({ address, ip, services }: PingSender): Promise<never> {
  const senders = unknownPingSendersOf(services)
  const now = services.clock.nowMs()
  // only senders with an unknown address are counted by their IP address, and once for each address
  const ofAddress = senders.count(address, ip, now)
  const counted = ofAddress.isFirst
    ? await services.rate.count(`public:ip:${rateKeyOfIp(ip)}`, rateLimits.public, now)
    : ofAddress
  if (counted.isRefused) {
    if (ofAddress.isFirst) senders.refuse(ip, now + counted.retryAfterS * 1_000)
    services.metrics.rateRefusals.inc({ class: 'public' })
    throw tooMany(counted)
  }
  const refusal = notFound('Monitor')
  Object.assign(refusal.headers, rateHeaders(counted))
  throw refusal
}
