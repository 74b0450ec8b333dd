import { follow, type Page, type WalkWanted } from '#checks/http/get.ts'
import { Unpacker } from '#checks/http/unpacker.ts'
import type { Reach } from '#checks/probe.ts'
import { type Allowance, Entries, maxBytes, type Root } from './entries.ts'
import type { Problems } from './problems.ts'

export interface ReadSitemap {
  page: Page
  entries: Entries
  bytes: number
  gzip: boolean
}

/** Reads one sitemap as it comes; nothing of it is kept but what `onEntry` keeps. */
export async function readSitemap(
  url: URL,
  reach: Reach,
  wanted: Omit<WalkWanted, 'maxBytes'>,
  problems: Problems,
  onEntry: (url: URL, root: Root) => void,
  allowance: Allowance,
): Promise<ReadSitemap> {
  const entries = new Entries(url, problems, reach.now(), onEntry, allowance)
  const unpacker = new Unpacker(maxBytes, text => entries.write(text))
  try {
    const page = await follow(url, reach, { ...wanted, maxBytes: maxBytes + 1, onBody: unpacker.take })
    await unpacker.end()
    if (page.status >= 200 && page.status < 300) {
      if (unpacker.state === 'reading') entries.end()
      if (unpacker.state === 'too_large' || page.bytes > maxBytes) problems.add('too_large', url.href)
      if (unpacker.state === 'broken') problems.add('broken_archive', url.href)
    }
    return { page, entries, bytes: unpacker.bytes, gzip: unpacker.isGzip }
  } finally {
    await unpacker.end()
  }
}
