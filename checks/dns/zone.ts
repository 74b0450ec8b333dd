import { parse } from 'tldts'

export interface Zone {
  /** The zone a name lies in: the nearest name above it that has name servers of its own, else its registered domain. */
  zone: string
  /** Its authoritative name servers; null when nobody could say. */
  nameservers: string[] | null
}

/** Where a zone may begin: the name itself and all above it, up to the registered domain. */
export function candidates(name: string): string[] {
  const bare = name.toLowerCase().replace(/\.$/, '')
  const top = parse(bare, { allowPrivateDomains: false, validateHostname: false }).domain ?? bare
  const names: string[] = []
  for (let each = bare; ; each = each.slice(each.indexOf('.') + 1)) {
    names.push(each)
    if (each.length <= top.length || !each.includes('.') || names.length === 8) break
  }
  if (names.at(-1) !== top) names.push(top)
  return names
}

/** Finds the zone of a name. `askNs` gives the NS records of a name, and null when that could not be said. */
export async function zoneOf(name: string, askNs: (name: string) => Promise<string[] | null>): Promise<Zone> {
  const names = candidates(name)
  let isSure = true
  for (const zone of names) {
    const nameservers = await askNs(zone)
    if (nameservers?.length) return { zone, nameservers }
    if (nameservers === null) isSure = false
  }
  return { zone: names.at(-1) ?? name, nameservers: isSure ? [] : null }
}
