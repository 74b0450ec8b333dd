import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { environmentTable } from '#control-plane/config.ts'
import {
  type Cell,
  statesOfTeams,
  type TeamState,
  teamStates,
  things,
} from '#control-plane/tenancy/team-states/table.ts'
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

const namesOf = <Name extends string>(record: Readonly<Record<Name, unknown>>) => Object.keys(record) as Name[]
const mailsText = (mails: readonly string[] = []) =>
  mails.length > 0 ? ` (mail: ${mails.map(mail => `\`${mail}\``).join(', ')})` : ''
const lineFrom = (...cells: string[]) => `| ${cells.map(cell).join(' | ')} |`

/** What there is to say of a thing in a state beyond that it goes on. */
function cellLine(title: string, { happens, says, back, answer, mails }: Cell): string[] {
  if (says === null) return []
  const answered = answer ? `: ${answer.status} \`${answer.code}\`` : ''
  return [lineFrom(title, `${happens}${answered}`, `${says}${mailsText(mails)}`, back ?? '')]
}

function stateText(state: TeamState): string {
  const { title, begins, notified, mails, brand, ends, endMails, things: cells } = statesOfTeams[state]
  const lines = namesOf(things).flatMap(thing => cellLine(things[thing], cells[thing]))
  const table = ['', lineFrom('What', 'Happens', '', 'How it comes back'), '|---|---|---|---|', ...lines].join('\n')
  return `## ${title}

- Begins: ${begins}
- Notified: ${notified}${mailsText(mails)}
- Brand: ${brand}
- Ends: ${ends}${mailsText(endMails)}
${table}
`
}

/** docs/team-states.md, made of the table that the code reads. */
export function teamStatesText(): string {
  const states = teamStates.toReversed()
  const matrix = [
    lineFrom('', ...states.map(state => statesOfTeams[state].title)),
    `|---|${states.map(() => '---|').join('')}`,
    ...namesOf(things).map(thing =>
      lineFrom(things[thing], ...states.map(state => statesOfTeams[state].things[thing].happens)),
    ),
  ].join('\n')
  return `# What goes on in a team, by its state

Generated from the table that the code reads; do not edit it, type \`npm run docs\`.

A team is in one state: the last of these columns that holds. A team that is paused and on trial is paused, one that is
suspended is paused as well, and one in the trash is only there. What a state changes is below, by state; all else goes
on. *Waits*: it goes on by itself afterwards. *Is not there*: what came meanwhile is lost.

${matrix}

${states.map(stateText).join('\n')}`
}

/** The generated pages, by their names in the folder of the documentation. */
export const generatedPages = { 'configuration.md': configurationText, 'team-states.md': teamStatesText }

export function docs({ isWritten }: { isWritten: boolean }): void {
  for (const [name, text] of Object.entries(generatedPages))
    if (isWritten) writeFileSync(join(import.meta.dirname, '..', '..', 'docs', name), text())
    else process.stdout.write(text())
}
