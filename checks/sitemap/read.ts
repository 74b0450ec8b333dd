import { follow, type Page, type WalkOptions } from '#checks/http/get.ts'
import { Unpacker } from '#checks/http/unpacker.ts'
import type { ProbeContext } from '#checks/probe.ts'
import { type Allowance, Entries, maxBytes } from './entries.ts'
import type { Root } from './forms.ts'
import type { Problems } from './problems.ts'

export interface ReadSitemap {
  page: Page
  entries: Entries
  bytes: number
  gzip: boolean
}

/**
 * Reads one sitemap as a stream; keeps nothing itself. `hosts`: those whose addresses it may name, beside the one that
 * it was read from.
 */
export async function readSitemap(
  url: URL,
  context: ProbeContext,
  options: Omit<WalkOptions, 'maxBytes'>,
  problems: Problems,
  onEntry: (url: URL, root: Root) => void,
  allowance: Allowance,
  hosts: ReadonlySet<string>,
): Promise<ReadSitemap> {
  const entries = new Entries(url, problems, context.now(), onEntry, allowance)
  const unpacker = new Unpacker(maxBytes, text => entries.write(text))
  try {
    const page = await follow(url, context, { ...options, maxBytes: maxBytes + 1, onBody: unpacker.take })
    await unpacker.end()
    if (page.status >= 200 && page.status < 300) {
      if (unpacker.state === 'reading') entries.end()
      if (unpacker.state === 'too_large' || page.bytes > maxBytes) problems.add('too_large', url.href)
      if (unpacker.state === 'broken') problems.add('broken_archive', url.href)
      entries.judgeHosts(new Set([...hosts, url.hostname, page.url.hostname]))
    }
    return { page, entries, bytes: unpacker.bytes, gzip: unpacker.isGzip }
  } finally {
    await unpacker.end()
  }
}
