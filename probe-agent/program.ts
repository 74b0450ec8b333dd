import { ConfigError } from '#contract/config-error.ts'
import { readConfig } from './config.ts'
import { runAgent } from './main.ts'

// The agent alone, without the other commands: what the image of the agent runs.

// a closed output must not end the agent
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

try {
  await runAgent(readConfig(process.env))
  process.exit(0)
} catch (error) {
  const isConfig = error instanceof ConfigError
  process.stderr.write(`${isConfig ? error.problems.join('\n') : error instanceof Error ? error.stack : error}\n`)
  process.exit(isConfig ? 2 : 1)
}
