import { attack, attacks, type World } from './attacks.ts'

/** One attacker in a process of its own, which is told its attack as it begins and ends when it is told so. */
const [name = '', world = '{}'] = process.argv.slice(2)
const found = attacks[name]
if (!found) throw new Error(`There is no attack "${name}".`)
const stop = new AbortController()
process.once('message', () => stop.abort())
const sent = await attack(found, JSON.parse(world) as World, stop.signal)
process.send?.({ sent }, () => process.exit(0))
