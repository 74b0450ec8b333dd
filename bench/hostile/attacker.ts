import { once } from 'node:events'
import { attack, attacks, type World } from './attacks.ts'

/** One attacker in a process of its own: it prepares, starts at the first message and stops at the second. */
const [name = '', world = '{}'] = process.argv.slice(2)
const found = attacks[name]
if (!found) throw new Error(`There is no attack "${name}".`)
const known = JSON.parse(world) as World
// what takes long to make is made before
for (let n = 0; n < 3; n++) found.make(n, known)
process.send?.({ isReady: true })
await once(process, 'message')
const stop = new AbortController()
process.once('message', () => stop.abort())
const sent = await attack(found, known, stop.signal)
process.send?.({ sent }, () => process.exit(0))
