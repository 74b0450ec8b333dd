import { parse } from 'tldts'

export interface Zone {
  /** The zone of a name: the nearest ancestor with name servers of its own, else the registered domain. */
  zone: string
  /** Its authoritative name servers; null when unknown. */
  nameservers: string[] | null
}

/** Where a zone may begin: the name itself and its ancestors up to the registered domain. */
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

/** Finds the zone of a name. `askNs` returns the NS records of a name, and null when they are unknown. */
export async function zoneOf(name: string, askNs: (name: string) => Promise<string[] | null>): Promise<Zone> {
  const names = candidates(name)
  let isKnown = true
  for (const zone of names) {
    const nameservers = await askNs(zone)
    if (nameservers?.length) return { zone, nameservers }
    if (nameservers === null) isKnown = false
  }
  return { zone: names.at(-1) ?? name, nameservers: isKnown ? [] : null }
}
