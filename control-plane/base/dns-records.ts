import { promises } from 'node:dns'
import { BadRowError } from './quarantine/reason.ts'

type Resolver = Pick<promises.Resolver, 'resolve4' | 'resolve6' | 'resolveCname' | 'resolveTxt'>

const timeoutMs = 2_000
const tries = 2

/** `servers`: in place of the system's. */
export function openResolver(servers: readonly string[] | undefined): Resolver {
  const resolver = new promises.Resolver({ timeout: timeoutMs, tries })
  if (servers) resolver.setServers(servers)
  return resolver
}

/** Name servers that did not answer, which says nothing of the records. */
export class Unanswered extends Error {}

/** Records of one kind; none if the name or the kind does not exist. */
export async function found<Record>(asked: Promise<Record[]>): Promise<Record[]> {
  try {
    return await asked
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? ''
    if (code === 'ENOTFOUND' || code === 'ENODATA') return []
    if (code === 'EBADNAME') throw new BadRowError('The hostname is no name.')
    throw new Unanswered(code)
  }
}

/** What is wrong with a TXT record that proves a domain; null if it is right. */
export async function examineTxt(
  resolver: Pick<Resolver, 'resolveTxt'>,
  name: string,
  value: string,
): Promise<'txt_missing' | 'txt_wrong' | null> {
  const texts = (await found(resolver.resolveTxt(name))).map(parts => parts.join(''))
  if (texts.includes(value)) return null
  return texts.length > 0 ? 'txt_wrong' : 'txt_missing'
}
