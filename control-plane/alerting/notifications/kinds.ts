import type { KindName } from '#checks/index.ts'
import type { MailLanguage } from '#control-plane/alerting/mail/words.ts'

/** The names of check kinds in texts for people. */
const names: Record<MailLanguage, Record<KindName, string>> = {
  en: {
    uptime: 'website',
    ssl: 'certificate',
    dns: 'DNS records',
    tcp: 'TCP port',
    ping: 'ping',
    domain_expiry: 'domain registration',
    dnsbl: 'block lists',
    security_headers: 'security headers',
    redirect_chain: 'redirects',
    mixed_content: 'mixed content',
    broken_links: 'links',
    crawl: 'pages',
    cron: 'job',
    robots_txt: 'robots.txt',
    application_health: 'application health',
    sitemap: 'sitemap',
    lighthouse: 'Lighthouse audit',
    agent: 'server',
  },
  de: {
    uptime: 'Website',
    ssl: 'Zertifikat',
    dns: 'DNS-Records',
    tcp: 'TCP-Port',
    ping: 'Ping',
    domain_expiry: 'Domain-Registrierung',
    dnsbl: 'Sperrlisten',
    security_headers: 'Sicherheits-Header',
    redirect_chain: 'Weiterleitungen',
    mixed_content: 'Mixed Content',
    broken_links: 'Links',
    crawl: 'Seiten',
    cron: 'Job',
    robots_txt: 'robots.txt',
    application_health: 'Anwendungszustand',
    sitemap: 'Sitemap',
    lighthouse: 'Lighthouse-Audit',
    agent: 'Server',
  },
}

export const nameOfKind = (kind: string, language: MailLanguage): string =>
  Object.hasOwn(names[language], kind) ? names[language][kind as KindName] : kind
