import { flushCompileCache } from 'node:module'
import { readConfig } from '#probe-agent/config.ts'
import { runAgent } from '#probe-agent/main.ts'

flushCompileCache() // many of these end too abruptly to leave the next one anything
await runAgent(readConfig(process.env))
