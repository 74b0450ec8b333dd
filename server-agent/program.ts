import { ConfigError } from '#contract/config-error.ts'
import { runServerAgent } from './main.ts'

// the reader of the output may close it: that ends the output, not the agent
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

runServerAgent(process.argv.slice(2)).then(
  code => process.exit(code),
  error => {
    process.stderr.write(`${error instanceof ConfigError ? error.message : (error.stack ?? error)}\n`)
    process.exit(error instanceof ConfigError ? 2 : 1)
  },
)
