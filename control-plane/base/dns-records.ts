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

/** A TXT record that proves a domain. */
export interface TxtRecord {
  txt_name: string
  txt_value: string
}

/**
 * What is wrong with the record that proves a domain; null if it is right. One of a former version, which had the name
 * of this software, goes on proving it.
 */
export async function examineTxt(
  resolver: Pick<Resolver, 'resolveTxt'>,
  { txt_name, txt_value }: TxtRecord,
  former: TxtRecord,
): Promise<'txt_missing' | 'txt_wrong' | null> {
  const textsAt = async (name: string) => (await found(resolver.resolveTxt(name))).map(parts => parts.join(''))
  const texts = await textsAt(txt_name)
  if (texts.includes(txt_value) || (await textsAt(former.txt_name)).includes(former.txt_value)) return null
  return texts.length > 0 ? 'txt_wrong' : 'txt_missing'
}
