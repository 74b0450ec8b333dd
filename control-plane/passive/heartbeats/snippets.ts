import { z } from 'zod'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { keptOriginOf } from '#control-plane/tenancy/portal-hosts/origin.ts'
import { findCronMonitor } from './find.ts'
import { rulesOf } from './rules.ts'
import { pingUrl } from './view.ts'

const SnippetView = z.object({ name: z.string(), language: z.string(), text: z.string() }).meta({ id: 'PingSnippet' })

export const listSnippets = endpoint({
  method: 'GET',
  path: '/cron-monitors/{cron_monitor}/snippets',
  summary: 'List code snippets for pings',
  description: 'For curl, wget, PowerShell, crontab, Python and GitHub Actions.',
  access: { tenant: 'monitors:read', reseller: 'monitors:read' },
  returns: ok({ data: z.array(SnippetView) }),

  async handle({ em, tenant, params, services }) {
    const row = await findCronMonitor(em, tenant, params.cron_monitor)
    const { schedule, timezone } = rulesOf(row.settings).settings
    const address = row.addresses.find(({ ends_at }) => ends_at === null)?.id ?? ''
    const origin = await keptOriginOf(services, tenant.id)
    return { data: snippetsFor(pingUrl(origin, address), schedule ?? '0 * * * *', timezone) }
  },
})

/** Each snippet retries and has a timeout: a job must not hang or fail because of its monitor. */
export function snippetsFor(url: string, schedule: string, timezone: string): z.input<typeof SnippetView>[] {
  return [
    { name: 'curl', language: 'sh', text: `curl -fsS -m 10 --retry 5 -o /dev/null ${url}` },
    {
      name: 'curl with start, result and output',
      language: 'sh',
      text: `curl -fsS -m 10 --retry 5 -o /dev/null -d state=start ${url}
output=$(/path/to/job 2>&1); code=$?
curl -fsS -m 10 --retry 5 -o /dev/null -d state=complete -d "exit_code=$code" --data-urlencode "output=$output" ${url}`,
    },
    { name: 'wget', language: 'sh', text: `wget -q -T 10 -t 5 -O /dev/null ${url}` },
    {
      name: 'PowerShell',
      language: 'powershell',
      text: `Invoke-RestMethod -Uri ${url} -Method Post -Body @{ state = 'ok' } -TimeoutSec 10 -MaximumRetryCount 5 -RetryIntervalSec 2`,
    },
    {
      name: 'crontab',
      language: 'crontab',
      text: `CRON_TZ=${timezone}
${schedule} /path/to/job && curl -fsS -m 10 --retry 5 -o /dev/null ${url} || curl -fsS -m 10 --retry 5 -o /dev/null -d state=fail ${url}`,
    },
    {
      name: 'Python',
      language: 'python',
      text: `import urllib.parse, urllib.request

def ping(**fields):
    data = urllib.parse.urlencode(fields).encode()
    urllib.request.urlopen("${url}", data=data, timeout=10).close()

ping(state="start")
try:
    job()
    ping(state="complete")
except Exception as error:
    ping(state="fail", output=str(error))
    raise`,
    },
    {
      name: 'GitHub Actions',
      language: 'yaml',
      text: `      - name: Report to the monitor
        if: always()
        run: curl -fsS -m 10 --retry 5 -o /dev/null -d state=\${{ job.status == 'success' && 'ok' || 'fail' }} "$PING_URL"
        env:
          # the ping URL of this monitor, kept as a secret of the repository
          PING_URL: \${{ secrets.PING_URL }}`,
    },
  ]
}
