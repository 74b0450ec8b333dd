import { readConfig } from '#probe-agent/config.ts'
import { runAgent } from '#probe-agent/main.ts'

await runAgent(readConfig(process.env))
