import { networkInterfaces } from 'node:os'
import { cached } from './cached.ts'

const families = cached(10_000, () => {
  const outward = Object.values(networkInterfaces()).flatMap(
    list => list?.filter(({ address, internal }) => !internal && !/^(fe[89ab]|169\.254\.)/i.test(address)) ?? [],
  )
  return new Set(outward.map(({ family }) => family))
})

/** Whether this machine has an IPv6 address beyond link-local. */
export const hasIPv6 = () => families().has('IPv6')

/** Whether this machine has no address at all beyond loopback and link-local. */
export const hasNoNetwork = () => families().size === 0
