const maxPath = 200

/** Parts of a path that identify a record or person, not a kind of page. */
const names = /^(?:\d{3,}|[\da-f]{8,}|[\da-f-]{32,}|.*[@%].*|[\w-]{25,})$/i

/** The page of a path: without query and fragment, and with `:id` in place of parts that identify a record or person. */
export function pageOf(path: string): string {
  const plain = path.split(/[?#]/, 1)[0] ?? ''
  const parts = plain
    .split('/')
    .slice(1)
    .map(part => (names.test(part) ? ':id' : part))
  return `/${parts.join('/')}`.slice(0, maxPath).toWellFormed()
}
