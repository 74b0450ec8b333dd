import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { environmentTable } from '#control-plane/config.ts'
import { agentTable } from '#probe-agent/config.ts'
import { help as serverAgentHelp } from '#server-agent/config.ts'

interface Row {
  name: string
  default: string
  description: string
}

const cell = (text: string) => text.replaceAll('|', '\\|')

const head = '| Variable | Default | Meaning |\n|---|---|---|'
const lineOf = (row: Row) => `| \`${row.name}\` | ${cell(row.default)} | ${cell(row.description)} |`
const table = (rows: readonly Row[]) => [head, ...rows.map(lineOf)].join('\n')

/** docs/configuration.md, made of the schemas that the processes read their settings with. */
export const configurationText = () => `# Configuration

Generated from the schemas of the settings; do not edit it, type \`npm run docs\`.
[operate.md](operate.md) explains their use.

## Control plane: \`vedette serve\`

\`NAME_FILE\` names a file that holds the value of \`NAME\`. All wrong values are reported together.
\`npm start\` sets the addresses and keys of its embedded stores by itself,
listens on 127.0.0.1 unless \`HOST\` names another address, and takes its port from \`--port\`.

${table(environmentTable)}

\`vedette migrate\` also reads \`DATABASE_OWNER_URL\`: the role that owns the database.
\`npm start\` and \`vedette set-up\` read \`SETUP_EMAIL\`, \`SETUP_PASSWORD_FILE\`,
\`SETUP_NAME\` and \`SETUP_TEAM\`: the first operator.

## Agent of a region: \`vedette probe\`

An empty variable counts as one that is not set.

${table(agentTable)}

## Server agent: \`vedette agent\`

\`\`\`text
${serverAgentHelp}
\`\`\`
`

export function docs({ isWritten }: { isWritten: boolean }): void {
  if (isWritten) writeFileSync(join(import.meta.dirname, '..', '..', 'docs', 'configuration.md'), configurationText())
  else process.stdout.write(configurationText())
}
