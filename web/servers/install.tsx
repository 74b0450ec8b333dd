import { useTranslation } from 'react-i18next'
import type { Schemas } from '../api.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import './servers.css'

/** How to install the agent. It holds the token, so it is shown once. */
export function Install({ install }: { install: Schemas['AgentInstall'] }) {
  const { t } = useTranslation('servers')
  return (
    <section className="card">
      <h2>{t('install.title')}</h2>
      <p>{t('install.says')}</p>
      <Lines label={t('install.command')} text={install.command} />
      <details>
        <summary>{t('install.service')}</summary>
        <p>/etc/vedette-agent.env</p>
        <Lines label={t('install.environment')} text={install.environment} />
        <p>/etc/systemd/system/vedette-agent.service</p>
        <Lines label={t('install.unit')} text={install.systemd_unit} />
      </details>
      <details>
        <summary>{t('install.others')}</summary>
        <Lines label="OpenTelemetry" text={install.otlp_endpoint} />
        <Lines label="Prometheus" text={install.remote_write_url} />
      </details>
    </section>
  )
}

const Lines = ({ label, text }: { label: string; text: string }) => (
  <div className="install-lines">
    <section aria-label={label}>
      <pre>{text}</pre>
    </section>
    <CopyButton text={text} label={label} />
  </div>
)
