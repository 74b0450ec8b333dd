import { promises } from 'node:dns'
import { isIP } from 'node:net'
import { BadRowError } from '#control-plane/base/quarantine/reason.ts'
import { txtLabel } from './hostname.ts'
import type { DnsProblem } from './states.ts'

/** The DNS records that a custom domain needs. */
export interface DomainRecords {
  /** The host that the hostname is an alias of. */
  cname: string
  txt_name: string
  txt_value: string
}

export const recordsOf = (hostname: string, txtToken: string, baseUrl: string): DomainRecords => ({
  cname: new URL(baseUrl).hostname,
  txt_name: `${txtLabel}.${hostname}`,
  txt_value: `vedette-verify=${txtToken}`,
})

type Resolver = Pick<promises.Resolver, 'resolve4' | 'resolve6' | 'resolveCname' | 'resolveTxt'>

const timeoutMs = 2_000
const tries = 2

/** `servers`: in place of the system's. */
export function openResolver(servers: readonly string[] | undefined): Resolver {
  const resolver = new promises.Resolver({ timeout: timeoutMs, tries })
  if (servers) resolver.setServers(servers)
  return resolver
}

class Unanswered extends Error {}

/** Records of one kind; none if the name or the kind does not exist. */
async function found<Record>(asked: Promise<Record[]>): Promise<Record[]> {
  try {
    return await asked
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? ''
    if (code === 'ENOTFOUND' || code === 'ENODATA') return []
    if (code === 'EBADNAME') throw new BadRowError('The hostname is no name.')
    throw new Unanswered(code)
  }
}

/**
 * What is wrong with the records of a hostname; null if they are right. In place of the alias, which the top of a zone
 * cannot have, addresses count that all belong to the host it should be an alias of.
 */
export async function examineRecords(
  resolver: Resolver,
  hostname: string,
  { cname, txt_name, txt_value }: DomainRecords,
): Promise<DnsProblem | null> {
  try {
    const texts = (await found(resolver.resolveTxt(txt_name))).map(parts => parts.join(''))
    if (!texts.includes(txt_value)) return texts.length > 0 ? 'txt_wrong' : 'txt_missing'
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
