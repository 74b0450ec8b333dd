import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const read = (...path: string[]): string | undefined => {
  try {
    return readFileSync(join(...path), 'utf8').trim()
  } catch {
    return undefined
  }
}

/** The commit of an image, which names it in a file; else of the checkout, read without a program; null elsewhere. */
function findRevision(): string | null {
  const found = read(root, 'revision') ?? revisionOfCheckout()
  return found !== undefined && /^[0-9a-f]{40}$/.test(found) ? found : null
}

function revisionOfCheckout(): string | undefined {
  // a worktree has a file that names its folder, which names the one that it shares
  const pointer = read(root, '.git')
  const folder = pointer?.startsWith('gitdir: ') ? pointer.slice('gitdir: '.length) : join(root, '.git')
  const shared = read(folder, 'commondir')
  const common = shared === undefined ? folder : join(folder, shared)
  const head = read(folder, 'HEAD')
  if (!head?.startsWith('ref: ')) return head
  const ref = head.slice('ref: '.length)
  return read(common, ref) ?? new RegExp(`^([0-9a-f]{40}) ${ref}$`, 'm').exec(read(common, 'packed-refs') ?? '')?.[1]
}

/** The version of the product, by semantic versioning. */
export const version: string = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version

/** The commit that this was built of; null where it is not known. */
export const revision: string | null = findRevision()

/** Which build runs: the version and the commit, as `0.1.0+1a2b3c4d5e6f`. */
export const build: string = revision === null ? version : `${version}+${revision.slice(0, 12)}`
