import { z } from 'zod'
import { serverAgentPaths } from '#contract/server-agent.ts'

export const InstallView = z
  .object({
    command: z.string().meta({ description: 'Fetches the agent and starts it. Needs Node 20 or newer.' }),
    environment: z.string().meta({ description: 'For /etc/vedette-agent.env, readable by root alone.' }),
    systemd_unit: z.string().meta({ description: 'For /etc/systemd/system/vedette-agent.service.' }),
    otlp_endpoint: z.string(),
    remote_write_url: z.string(),
  })
  .meta({ id: 'AgentInstall' })

const program = '/usr/local/lib/vedette-agent.mjs'

/** How to install the agent on a server. It contains the token, so it is shown once, with the token. */
export function installOf(origin: string, token: string): z.input<typeof InstallView> {
  return {
    command:
      `curl -fsSo vedette-agent.mjs ${origin}${serverAgentPaths.program} && ` +
      `VEDETTE_URL=${origin} VEDETTE_TOKEN=${token} node vedette-agent.mjs`,
    environment: `VEDETTE_URL=${origin}\nVEDETTE_TOKEN=${token}\n`,
    systemd_unit: `[Unit]
Description=Monitoring agent
After=network-online.target
Wants=network-online.target

[Service]
# curl -fsSo ${program} ${origin}${serverAgentPaths.program}
ExecStart=/usr/bin/env node ${program}
EnvironmentFile=/etc/vedette-agent.env
Environment=VEDETTE_DATA=/var/lib/vedette-agent
StateDirectory=vedette-agent
DynamicUser=yes
ProtectSystem=strict
ProtectHome=read-only
NoNewPrivileges=yes
Nice=10
Restart=always
RestartSec=10

[Install]
WantedBy=multi-user.target
`,
    otlp_endpoint: origin + serverAgentPaths.otlp.replace('/v1/metrics', ''),
    remote_write_url: origin + serverAgentPaths.remoteWrite,
  }
}
