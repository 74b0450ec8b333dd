import { fileURLToPath } from 'node:url'
import { serverAgentPaths } from '#contract/server-agent.ts'
import { unavailable } from '#control-plane/base/refusal.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { script } from '#control-plane/http/reply.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const version = '1'

let built: Promise<string> | undefined

/** The program in one file, for Node 20 or newer. It is built at the first request and cached. */
export function serverAgentProgram(): Promise<string> {
  built ??= bundle().catch(error => {
    built = undefined
    throw error
  })
  return built
}

async function bundle(): Promise<string> {
  const { rolldown } = await import('rolldown')
  const made = await rolldown({
    input: `${root}server-agent/program.ts`,
    cwd: root,
    platform: 'node',
    logLevel: 'silent',
    transform: { target: 'node20', define: { VEDETTE_AGENT_VERSION: JSON.stringify(version) } },
  })
  try {
    const { output } = await made.generate({
      format: 'esm',
      codeSplitting: false,
      minify: true,
      banner: '#!/usr/bin/env node',
    })
    return output[0].code
  } finally {
    await made.close()
  }
}

export const getServerAgent = endpoint({
  method: 'GET',
  path: serverAgentPaths.program.replace(/^\/api/, ''),
  root: true,
  operation: 'agentMonitors.getProgram',
  summary: 'Download the agent for servers',
  description:
    'One file, for Node 20 or newer. ' +
    'It contains no secret. `node agent.mjs --help` lists its options, `--once --print` shows what it would send.',
  access: 'public',
  detached: true,
  returns: script({ 'Cache-Control': 'public, max-age=3600' }),

  handle: async ({ services }) => {
    try {
      return await serverAgentProgram()
    } catch (error) {
      services.log.error({ err: error }, 'server agent build failure')
      throw unavailable('The program cannot be put together here.', 60)
    }
  },
})
