import { isIP } from 'node:net'
import { examineTxt, found, type openResolver, type TxtRecord, Unanswered } from '#control-plane/base/dns-records.ts'
import type { DnsProblem } from './states.ts'

/** The DNS records that a custom domain needs. */
export interface DomainRecords extends TxtRecord {
  /** The host that the hostname is an alias of. */
  cname: string
}

export const recordsOf = (hostname: string, txtToken: string, baseUrl: string): DomainRecords => ({
  cname: new URL(baseUrl).hostname,
  txt_name: `_verify.${hostname}`,
  txt_value: `verify=${txtToken}`,
})

/** What a domain was proven by before. */
export const formerRecordOf = (hostname: string, txtToken: string): TxtRecord => ({
  txt_name: `_vedette.${hostname}`,
  txt_value: `vedette-verify=${txtToken}`,
})

type Resolver = ReturnType<typeof openResolver>

/**
 * What is wrong with the records of a hostname; null if they are right. In place of the alias, which the top of a zone
 * cannot have, addresses count that all belong to the host it should be an alias of.
 */
export async function examineRecords(
  resolver: Resolver,
  hostname: string,
  { cname, ...txt }: DomainRecords,
  former: TxtRecord,
): Promise<DnsProblem | null> {
  try {
    const problem = await examineTxt(resolver, txt, former)
    if (problem !== null) return problem
    const aliases = (await found(resolver.resolveCname(hostname))).map(name => name.toLowerCase().replace(/\.$/, ''))
    if (aliases.includes(cname)) return null
    const addresses = await addressesOf(resolver, hostname)
    if (addresses.length === 0) return aliases.length > 0 ? 'cname_wrong' : 'cname_missing'
    const ours = new Set(await addressesOf(resolver, cname))
    return addresses.every(address => ours.has(address)) ? null : 'cname_wrong'
  } catch (error) {
    if (error instanceof Unanswered) return 'dns_unanswered'
    throw error
  }
}

async function addressesOf(resolver: Resolver, host: string): Promise<string[]> {
  if (isIP(host) !== 0) return [host]
  const [four, six] = await Promise.all([found(resolver.resolve4(host)), found(resolver.resolve6(host))])
  return [...four, ...six]
}
