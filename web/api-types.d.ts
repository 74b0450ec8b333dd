export interface paths {
    "/api/v1/agent-monitors": {
        parameters: {
        };
        get: operations["agentMonitors.list"];
        post: operations["agentMonitors.create"];
    };
    "/api/v1/agent-monitors/{agent_monitor}": {
        parameters: {
        };
        get: operations["agentMonitors.get"];
        delete: operations["agentMonitors.delete"];
        patch: operations["agentMonitors.update"];
    };
    "/api/v1/agent-monitors/{agent_monitor}/metrics": {
        parameters: {
        };
        get: operations["agentMonitors.metrics.list"];
    };
    "/api/v1/agent-monitors/{agent_monitor}/rotate-token": {
        parameters: {
        };
        post: operations["agentMonitors.rotateToken"];
    };
    "/api/v1/agents": {
        parameters: {
        };
        get: operations["agents.list"];
    };
    "/api/v1/agents/enrolment-tokens": {
        parameters: {
        };
        post: operations["agents.enrolmentTokens.create"];
    };
    "/api/v1/agents/{agent}": {
        parameters: {
        };
        delete: operations["agents.revoke"];
    };
    "/api/v1/api-keys": {
        parameters: {
        };
        get: operations["apiKeys.list"];
        post: operations["apiKeys.create"];
    };
    "/api/v1/api-keys/{token}": {
        parameters: {
        };
        get: operations["apiKeys.get"];
        delete: operations["apiKeys.delete"];
        patch: operations["apiKeys.update"];
    };
    "/api/v1/api-keys/{token}/rotate": {
        parameters: {
        };
        post: operations["apiKeys.rotate"];
    };
    "/api/v1/api-tokens": {
        parameters: {
        };
        get: operations["apiTokens.list"];
        post: operations["apiTokens.create"];
    };
    "/api/v1/api-tokens/scopes": {
        parameters: {
        };
        get: operations["apiTokens.scopes.list"];
    };
    "/api/v1/api-tokens/{token}": {
        parameters: {
        };
        get: operations["apiTokens.get"];
        delete: operations["apiTokens.delete"];
        patch: operations["apiTokens.update"];
    };
    "/api/v1/api-tokens/{token}/rotate": {
        parameters: {
        };
        post: operations["apiTokens.rotate"];
    };
    "/api/v1/audit-log": {
        parameters: {
        };
        get: operations["auditLog.list"];
    };
    "/api/v1/audit-log/filters": {
        parameters: {
        };
        get: operations["auditLog.filters.get"];
    };
    "/api/v1/auth/email/confirm": {
        parameters: {
        };
        post: operations["auth.email.confirm"];
    };
    "/api/v1/auth/email/revert": {
        parameters: {
        };
        post: operations["auth.email.revert"];
    };
    "/api/v1/auth/email/verify": {
        parameters: {
        };
        post: operations["auth.email.verify"];
    };
    "/api/v1/auth/login": {
        parameters: {
        };
        post: operations["auth.login"];
    };
    "/api/v1/auth/logout": {
        parameters: {
        };
        post: operations["auth.logout"];
    };
    "/api/v1/auth/passkeys/options": {
        parameters: {
        };
        post: operations["auth.passkeys.start"];
    };
    "/api/v1/auth/passkeys/verify": {
        parameters: {
        };
        post: operations["auth.passkeys.signIn"];
    };
    "/api/v1/auth/password/forgot": {
        parameters: {
        };
        post: operations["auth.password.forgot"];
    };
    "/api/v1/auth/password/reset": {
        parameters: {
        };
        post: operations["auth.password.reset"];
    };
    "/api/v1/auth/reseller-token": {
        parameters: {
        };
        post: operations["auth.createResellerToken"];
    };
    "/api/v1/auth/sign-up": {
        parameters: {
        };
        post: operations["auth.signUp"];
    };
    "/api/v1/auth/sign-up/challenge": {
        parameters: {
        };
        get: operations["auth.signUpChallenge"];
    };
    "/api/v1/auth/sign-up/complete": {
        parameters: {
        };
        post: operations["auth.completeSignUp"];
    };
    "/api/v1/auth/step-up": {
        parameters: {
        };
        post: operations["auth.stepUp"];
    };
    "/api/v1/auth/token": {
        parameters: {
        };
        post: operations["auth.signIn"];
        delete: operations["auth.signOut"];
    };
    "/api/v1/billing": {
        parameters: {
        };
        get: operations["billing.get"];
    };
    "/api/v1/billing/cancel": {
        parameters: {
        };
        post: operations["billing.cancel"];
    };
    "/api/v1/billing/checkout": {
        parameters: {
        };
        post: operations["billing.checkout"];
    };
    "/api/v1/billing/invoices": {
        parameters: {
        };
        get: operations["billing.invoices.list"];
    };
    "/api/v1/billing/invoices/{invoice}": {
        parameters: {
        };
        get: operations["billing.invoices.get"];
    };
    "/api/v1/billing/payer": {
        parameters: {
        };
        patch: operations["billing.payer.update"];
    };
    "/api/v1/billing/plan": {
        parameters: {
        };
        post: operations["billing.plan"];
    };
    "/api/v1/billing/plan-change": {
        parameters: {
        };
        delete: operations["billing.planChange.delete"];
    };
    "/api/v1/billing/plan-preview": {
        parameters: {
        };
        get: operations["billing.planPreview.get"];
    };
    "/api/v1/billing/portal": {
        parameters: {
        };
        post: operations["billing.portal"];
    };
    "/api/v1/billing/resume": {
        parameters: {
        };
        post: operations["billing.resume"];
    };
    "/api/v1/billing/webhooks/stripe": {
        parameters: {
        };
        post: operations["billing.takeStripeEvent"];
    };
    "/api/v1/branding": {
        parameters: {
        };
        get: operations["branding.get"];
        patch: operations["branding.update"];
    };
    "/api/v1/caught-mails": {
        parameters: {
        };
        get: operations["caughtMails.list"];
    };
    "/api/v1/caught-mails/{caught_mail}": {
        parameters: {
        };
        get: operations["caughtMails.get"];
    };
    "/api/v1/checks/timeseries-batch": {
        parameters: {
        };
        post: operations["checks.timeseriesBatch"];
    };
    "/api/v1/checks/{check}": {
        parameters: {
        };
        get: operations["checks.get"];
        delete: operations["checks.delete"];
        patch: operations["checks.update"];
    };
    "/api/v1/checks/{check}/disable": {
        parameters: {
        };
        post: operations["checks.disable"];
    };
    "/api/v1/checks/{check}/enable": {
        parameters: {
        };
        post: operations["checks.enable"];
    };
    "/api/v1/checks/{check}/request-run": {
        parameters: {
        };
        post: operations["checks.requestRun"];
    };
    "/api/v1/checks/{check}/results": {
        parameters: {
        };
        get: operations["checks.results.list"];
    };
    "/api/v1/checks/{check}/snooze": {
        parameters: {
        };
        post: operations["checks.snooze"];
    };
    "/api/v1/checks/{check}/timeseries": {
        parameters: {
        };
        get: operations["checks.timeseries.list"];
    };
    "/api/v1/checks/{check}/unsnooze": {
        parameters: {
        };
        post: operations["checks.unsnooze"];
    };
    "/api/v1/crawl-runs": {
        parameters: {
        };
        get: operations["crawlRuns.list"];
    };
    "/api/v1/crawl-runs/{crawl_run}": {
        parameters: {
        };
        get: operations["crawlRuns.get"];
    };
    "/api/v1/crawl-runs/{crawl_run}/cancel": {
        parameters: {
        };
        post: operations["crawlRuns.cancel"];
    };
    "/api/v1/crawl-runs/{crawl_run}/pages": {
        parameters: {
        };
        get: operations["crawlRuns.pages.list"];
    };
    "/api/v1/cron-monitors": {
        parameters: {
        };
        get: operations["cronMonitors.list"];
        post: operations["cronMonitors.create"];
    };
    "/api/v1/cron-monitors/{cron_monitor}": {
        parameters: {
        };
        get: operations["cronMonitors.get"];
        delete: operations["cronMonitors.delete"];
        patch: operations["cronMonitors.update"];
    };
    "/api/v1/cron-monitors/{cron_monitor}/pings": {
        parameters: {
        };
        get: operations["cronMonitors.pings.list"];
    };
    "/api/v1/cron-monitors/{cron_monitor}/rotate-url": {
        parameters: {
        };
        post: operations["cronMonitors.rotateUrl"];
    };
    "/api/v1/cron-monitors/{cron_monitor}/snippets": {
        parameters: {
        };
        get: operations["cronMonitors.snippets.list"];
    };
    "/api/v1/custom-domains": {
        parameters: {
        };
        get: operations["customDomains.list"];
        post: operations["customDomains.create"];
    };
    "/api/v1/custom-domains/{custom_domain}": {
        parameters: {
        };
        get: operations["customDomains.get"];
        delete: operations["customDomains.delete"];
        patch: operations["customDomains.update"];
    };
    "/api/v1/custom-domains/{custom_domain}/verify": {
        parameters: {
        };
        post: operations["customDomains.verify"];
    };
    "/api/v1/dashboard/stats": {
        parameters: {
        };
        get: operations["dashboard.stats.get"];
    };
    "/api/v1/digest/unsubscribe": {
        parameters: {
        };
        post: operations["digest.unsubscribe"];
    };
    "/api/v1/domains/ask": {
        parameters: {
        };
        get: operations["customDomains.ask"];
    };
    "/api/v1/escalation-policies": {
        parameters: {
        };
        get: operations["escalationPolicies.list"];
        post: operations["escalationPolicies.create"];
    };
    "/api/v1/escalation-policies/{escalation_policy}": {
        parameters: {
        };
        get: operations["escalationPolicies.get"];
        delete: operations["escalationPolicies.delete"];
        patch: operations["escalationPolicies.update"];
    };
    "/api/v1/geo-audits/{geo_audit}": {
        parameters: {
        };
        get: operations["geoAudits.get"];
    };
    "/api/v1/incidents": {
        parameters: {
        };
        get: operations["incidents.list"];
    };
    "/api/v1/incidents/acknowledge-by-link": {
        parameters: {
        };
        post: operations["incidents.acknowledgeByLink"];
    };
    "/api/v1/incidents/acknowledge-by-link/lookup": {
        parameters: {
        };
        post: operations["incidents.lookUpAcknowledgeLink"];
    };
    "/api/v1/incidents/resolve-by-link": {
        parameters: {
        };
        post: operations["incidents.resolveByLink"];
    };
    "/api/v1/incidents/resolve-by-link/lookup": {
        parameters: {
        };
        post: operations["incidents.lookUpResolveLink"];
    };
    "/api/v1/incidents/{incident}": {
        parameters: {
        };
        get: operations["incidents.get"];
        patch: operations["incidents.update"];
    };
    "/api/v1/incidents/{incident}/acknowledge": {
        parameters: {
        };
        post: operations["incidents.acknowledge"];
    };
    "/api/v1/incidents/{incident}/archive": {
        parameters: {
        };
        post: operations["incidents.archive"];
    };
    "/api/v1/incidents/{incident}/notifications": {
        parameters: {
        };
        get: operations["incidents.notifications.list"];
    };
    "/api/v1/incidents/{incident}/resolve": {
        parameters: {
        };
        post: operations["incidents.resolve"];
    };
    "/api/v1/incidents/{incident}/snooze": {
        parameters: {
        };
        post: operations["incidents.snooze"];
    };
    "/api/v1/incidents/{incident}/unacknowledge": {
        parameters: {
        };
        post: operations["incidents.unacknowledge"];
    };
    "/api/v1/incidents/{incident}/unarchive": {
        parameters: {
        };
        post: operations["incidents.unarchive"];
    };
    "/api/v1/incidents/{incident}/unsnooze": {
        parameters: {
        };
        post: operations["incidents.unsnooze"];
    };
    "/api/v1/incidents/{incident}/updates": {
        parameters: {
        };
        get: operations["incidents.updates.list"];
        post: operations["incidents.updates.create"];
    };
    "/api/v1/invitations": {
        parameters: {
        };
        get: operations["invitations.list"];
        post: operations["invitations.create"];
    };
    "/api/v1/invitations/accept": {
        parameters: {
        };
        post: operations["invitations.accept"];
    };
    "/api/v1/invitations/decline": {
        parameters: {
        };
        post: operations["invitations.decline"];
    };
    "/api/v1/invitations/lookup": {
        parameters: {
        };
        post: operations["invitations.lookup"];
    };
    "/api/v1/invitations/{invitation}": {
        parameters: {
        };
        get: operations["invitations.get"];
        delete: operations["invitations.delete"];
    };
    "/api/v1/invitations/{invitation}/resend": {
        parameters: {
        };
        post: operations["invitations.resend"];
    };
    "/api/v1/mail-budget": {
        parameters: {
        };
        get: operations["mailBudget.get"];
    };
    "/api/v1/mail-recipients/confirm": {
        parameters: {
        };
        post: operations["mailRecipients.confirm"];
    };
    "/api/v1/mail-recipients/unsubscribe": {
        parameters: {
        };
        post: operations["mailRecipients.unsubscribe"];
    };
    "/api/v1/maintenance-windows": {
        parameters: {
        };
        get: operations["maintenanceWindows.list"];
        post: operations["maintenanceWindows.create"];
    };
    "/api/v1/maintenance-windows/calendar": {
        parameters: {
        };
        post: operations["maintenanceCalendar.create"];
        delete: operations["maintenanceCalendar.delete"];
    };
    "/api/v1/maintenance-windows/{maintenance_window}": {
        parameters: {
        };
        get: operations["maintenanceWindows.get"];
        delete: operations["maintenanceWindows.delete"];
        patch: operations["maintenanceWindows.update"];
    };
    "/api/v1/maintenance-windows/{maintenance_window}/cancel": {
        parameters: {
        };
        post: operations["maintenanceWindows.cancel"];
    };
    "/api/v1/maintenance-windows/{maintenance_window}/extend": {
        parameters: {
        };
        post: operations["maintenanceWindows.extend"];
    };
    "/api/v1/maintenance-windows/{maintenance_window}/start": {
        parameters: {
        };
        post: operations["maintenanceWindows.start"];
    };
    "/api/v1/maintenance-windows/{maintenance_window}/stop": {
        parameters: {
        };
        post: operations["maintenanceWindows.stop"];
    };
    "/api/v1/members": {
        parameters: {
        };
        get: operations["members.list"];
    };
    "/api/v1/members/{user_id}": {
        parameters: {
        };
        get: operations["members.get"];
        delete: operations["members.delete"];
        patch: operations["members.update"];
    };
    "/api/v1/members/{user_id}/reset-mfa": {
        parameters: {
        };
        post: operations["members.resetMfa"];
    };
    "/api/v1/monitors": {
        parameters: {
        };
        get: operations["monitors.list"];
        post: operations["monitors.create"];
    };
    "/api/v1/monitors/bulk": {
        parameters: {
        };
        post: operations["monitors.createMany"];
        patch: operations["monitors.updateMany"];
    };
    "/api/v1/monitors/stats-batch": {
        parameters: {
        };
        post: operations["monitors.statsBatch"];
    };
    "/api/v1/monitors/uptime-batch": {
        parameters: {
        };
        post: operations["monitors.uptimeBatch"];
    };
    "/api/v1/monitors/{monitor}": {
        parameters: {
        };
        get: operations["monitors.get"];
        delete: operations["monitors.delete"];
        patch: operations["monitors.update"];
    };
    "/api/v1/monitors/{monitor}/agent": {
        parameters: {
        };
        get: operations["monitors.agent.get"];
    };
    "/api/v1/monitors/{monitor}/broken-links": {
        parameters: {
        };
        get: operations["monitors.brokenLinks.get"];
    };
    "/api/v1/monitors/{monitor}/certificate": {
        parameters: {
        };
        get: operations["monitors.certificate.get"];
    };
    "/api/v1/monitors/{monitor}/checks": {
        parameters: {
        };
        get: operations["monitors.checks.list"];
        post: operations["monitors.checks.create"];
    };
    "/api/v1/monitors/{monitor}/checks/{check}": {
        parameters: {
        };
        get: operations["monitors.checks.get"];
        delete: operations["monitors.checks.delete"];
        patch: operations["monitors.checks.update"];
    };
    "/api/v1/monitors/{monitor}/checks/{check}/disable": {
        parameters: {
        };
        post: operations["monitors.checks.disable"];
    };
    "/api/v1/monitors/{monitor}/checks/{check}/enable": {
        parameters: {
        };
        post: operations["monitors.checks.enable"];
    };
    "/api/v1/monitors/{monitor}/checks/{check}/request-run": {
        parameters: {
        };
        post: operations["monitors.checks.requestRun"];
    };
    "/api/v1/monitors/{monitor}/checks/{check}/results": {
        parameters: {
        };
        get: operations["monitors.checks.results.list"];
    };
    "/api/v1/monitors/{monitor}/checks/{check}/snooze": {
        parameters: {
        };
        post: operations["monitors.checks.snooze"];
    };
    "/api/v1/monitors/{monitor}/checks/{check}/timeseries": {
        parameters: {
        };
        get: operations["monitors.checks.timeseries.list"];
    };
    "/api/v1/monitors/{monitor}/checks/{check}/unsnooze": {
        parameters: {
        };
        post: operations["monitors.checks.unsnooze"];
    };
    "/api/v1/monitors/{monitor}/crawl-runs": {
        parameters: {
        };
        get: operations["monitors.crawlRuns.list"];
        post: operations["monitors.crawlRuns.create"];
    };
    "/api/v1/monitors/{monitor}/disable": {
        parameters: {
        };
        post: operations["monitors.disable"];
    };
    "/api/v1/monitors/{monitor}/dns-history": {
        parameters: {
        };
        get: operations["monitors.dnsHistory.get"];
    };
    "/api/v1/monitors/{monitor}/dnsbl": {
        parameters: {
        };
        get: operations["monitors.dnsbl.get"];
    };
    "/api/v1/monitors/{monitor}/domain-expiry": {
        parameters: {
        };
        get: operations["monitors.domainExpiry.get"];
    };
    "/api/v1/monitors/{monitor}/enable": {
        parameters: {
        };
        post: operations["monitors.enable"];
    };
    "/api/v1/monitors/{monitor}/geo-audits": {
        parameters: {
        };
        get: operations["monitors.geoAudits.list"];
        post: operations["monitors.geoAudits.create"];
    };
    "/api/v1/monitors/{monitor}/health": {
        parameters: {
        };
        get: operations["monitors.health.get"];
    };
    "/api/v1/monitors/{monitor}/lighthouse": {
        parameters: {
        };
        get: operations["monitors.lighthouse.get"];
    };
    "/api/v1/monitors/{monitor}/mixed-content": {
        parameters: {
        };
        get: operations["monitors.mixedContent.get"];
    };
    "/api/v1/monitors/{monitor}/performance": {
        parameters: {
        };
        get: operations["monitors.performance.get"];
    };
    "/api/v1/monitors/{monitor}/ping": {
        parameters: {
        };
        get: operations["monitors.ping.get"];
    };
    "/api/v1/monitors/{monitor}/redirect-chain": {
        parameters: {
        };
        get: operations["monitors.redirectChain.get"];
    };
    "/api/v1/monitors/{monitor}/report": {
        parameters: {
        };
        get: operations["monitors.report.get"];
    };
    "/api/v1/monitors/{monitor}/report.pdf": {
        parameters: {
        };
        get: operations["monitors.report.pdf.get"];
    };
    "/api/v1/monitors/{monitor}/robots-txt": {
        parameters: {
        };
        get: operations["monitors.robotsTxt.get"];
    };
    "/api/v1/monitors/{monitor}/security-headers": {
        parameters: {
        };
        get: operations["monitors.securityHeaders.get"];
    };
    "/api/v1/monitors/{monitor}/simulate": {
        parameters: {
        };
        post: operations["monitors.simulate"];
    };
    "/api/v1/monitors/{monitor}/sitemap": {
        parameters: {
        };
        get: operations["monitors.sitemap.get"];
    };
    "/api/v1/monitors/{monitor}/slo": {
        parameters: {
        };
        get: operations["monitors.slo.get"];
    };
    "/api/v1/monitors/{monitor}/tcp": {
        parameters: {
        };
        get: operations["monitors.tcp.get"];
    };
    "/api/v1/monitors/{monitor}/uptime": {
        parameters: {
        };
        get: operations["monitors.uptime.get"];
    };
    "/api/v1/monitors/{monitor}/web-vitals": {
        parameters: {
        };
        get: operations["monitors.webVitals.get"];
        post: operations["monitors.webVitals.enable"];
        delete: operations["monitors.webVitals.disable"];
    };
    "/api/v1/monthly-report": {
        parameters: {
        };
        get: operations["monthlyReport.get"];
    };
    "/api/v1/monthly-report.pdf": {
        parameters: {
        };
        get: operations["monthlyReport.pdf.get"];
    };
    "/api/v1/monthly-report/unsubscribe": {
        parameters: {
        };
        post: operations["monthlyReport.unsubscribe"];
    };
    "/api/v1/monthly-reports": {
        parameters: {
        };
        get: operations["monthlyReports.list"];
    };
    "/api/v1/notification-channels": {
        parameters: {
        };
        get: operations["notificationChannels.list"];
        post: operations["notificationChannels.create"];
    };
    "/api/v1/notification-channels/presets": {
        parameters: {
        };
        get: operations["channelPresets.list"];
    };
    "/api/v1/notification-channels/{notification_channel}": {
        parameters: {
        };
        get: operations["notificationChannels.get"];
        delete: operations["notificationChannels.delete"];
        patch: operations["notificationChannels.update"];
    };
    "/api/v1/notification-channels/{notification_channel}/recipients/resend": {
        parameters: {
        };
        post: operations["notificationChannels.recipients.resend"];
    };
    "/api/v1/notification-channels/{notification_channel}/test": {
        parameters: {
        };
        post: operations["notificationChannels.test"];
    };
    "/api/v1/notification-logs": {
        parameters: {
        };
        get: operations["notificationLogs.list"];
    };
    "/api/v1/notification-logs/{notification_log}": {
        parameters: {
        };
        get: operations["notificationLogs.get"];
    };
    "/api/v1/notification-logs/{notification_log}/replay": {
        parameters: {
        };
        post: operations["notificationLogs.replay"];
    };
    "/api/v1/notification-rules": {
        parameters: {
        };
        get: operations["notificationRules.list"];
        post: operations["notificationRules.create"];
    };
    "/api/v1/notification-rules/event-types": {
        parameters: {
        };
        get: operations["notificationRules.eventTypes.list"];
    };
    "/api/v1/notification-rules/{notification_rule}": {
        parameters: {
        };
        get: operations["notificationRules.get"];
        delete: operations["notificationRules.delete"];
        patch: operations["notificationRules.update"];
    };
    "/api/v1/on-call-calendars/{token}": {
        parameters: {
        };
        get: operations["onCallSchedules.calendar.read"];
    };
    "/api/v1/on-call-schedules": {
        parameters: {
        };
        get: operations["onCallSchedules.list"];
        post: operations["onCallSchedules.create"];
    };
    "/api/v1/on-call-schedules/calendar": {
        parameters: {
        };
        get: operations["onCallSchedules.calendar.get"];
        post: operations["onCallSchedules.calendar.rotate"];
        delete: operations["onCallSchedules.calendar.delete"];
    };
    "/api/v1/on-call-schedules/{on_call_schedule}": {
        parameters: {
        };
        get: operations["onCallSchedules.get"];
        delete: operations["onCallSchedules.delete"];
        patch: operations["onCallSchedules.update"];
    };
    "/api/v1/on-call-schedules/{on_call_schedule}/current": {
        parameters: {
        };
        get: operations["onCallSchedules.current.get"];
    };
    "/api/v1/on-call-schedules/{on_call_schedule}/overrides": {
        parameters: {
        };
        get: operations["onCallSchedules.overrides.list"];
        post: operations["onCallSchedules.overrides.create"];
    };
    "/api/v1/on-call-schedules/{on_call_schedule}/overrides/{override}": {
        parameters: {
        };
        delete: operations["onCallSchedules.overrides.delete"];
    };
    "/api/v1/on-call-schedules/{on_call_schedule}/preview": {
        parameters: {
        };
        get: operations["onCallSchedules.preview.get"];
    };
    "/api/v1/on-call-schedules/{on_call_schedule}/swap": {
        parameters: {
        };
        post: operations["onCallSchedules.swap"];
    };
    "/api/v1/plan": {
        parameters: {
        };
        get: operations["plan.get"];
    };
    "/api/v1/plan/kept-monitors": {
        parameters: {
        };
        get: operations["plan.keptMonitors.get"];
        put: operations["plan.keptMonitors.replace"];
    };
    "/api/v1/platform/dead-events": {
        parameters: {
        };
        get: operations["platform.deadEvents.list"];
    };
    "/api/v1/platform/dead-events/{dead_event}/replay": {
        parameters: {
        };
        post: operations["platform.deadEvents.replay"];
    };
    "/api/v1/platform/health": {
        parameters: {
        };
        get: operations["platform.health.get"];
    };
    "/api/v1/platform/info": {
        parameters: {
        };
        get: operations["platform.info.get"];
    };
    "/api/v1/platform/quarantine": {
        parameters: {
        };
        get: operations["platform.quarantine.list"];
    };
    "/api/v1/platform/quarantine/{quarantined_row}/retry": {
        parameters: {
        };
        post: operations["platform.quarantine.retry"];
    };
    "/api/v1/platform/regions": {
        parameters: {
        };
        get: operations["platform.regions.list"];
    };
    "/api/v1/platform/regions/{region}": {
        parameters: {
        };
        delete: operations["platform.regions.delete"];
    };
    "/api/v1/portal": {
        parameters: {
        };
        get: operations["portal.get"];
        patch: operations["portal.update"];
    };
    "/api/v1/profile": {
        parameters: {
        };
        get: operations["profile.get"];
        delete: operations["profile.delete"];
        patch: operations["profile.update"];
    };
    "/api/v1/profile/contact-methods": {
        parameters: {
        };
        get: operations["profile.contactMethods.list"];
        post: operations["profile.contactMethods.create"];
    };
    "/api/v1/profile/contact-methods/{contact_method}": {
        parameters: {
        };
        delete: operations["profile.contactMethods.delete"];
        patch: operations["profile.contactMethods.update"];
    };
    "/api/v1/profile/contact-methods/{contact_method}/test": {
        parameters: {
        };
        post: operations["profile.contactMethods.test"];
    };
    "/api/v1/profile/email": {
        parameters: {
        };
        post: operations["profile.changeEmail"];
    };
    "/api/v1/profile/email/verify-request": {
        parameters: {
        };
        post: operations["profile.requestVerification"];
    };
    "/api/v1/profile/export": {
        parameters: {
        };
        get: operations["profile.export"];
    };
    "/api/v1/profile/invitations/accept": {
        parameters: {
        };
        post: operations["profile.invitations.accept"];
    };
    "/api/v1/profile/mfa": {
        parameters: {
        };
        get: operations["profile.mfa.get"];
        post: operations["profile.mfa.start"];
        delete: operations["profile.mfa.disable"];
    };
    "/api/v1/profile/mfa/confirm": {
        parameters: {
        };
        post: operations["profile.mfa.confirm"];
    };
    "/api/v1/profile/mfa/recovery-codes": {
        parameters: {
        };
        post: operations["profile.mfa.renewRecoveryCodes"];
    };
    "/api/v1/profile/passkeys": {
        parameters: {
        };
        get: operations["profile.passkeys.list"];
        post: operations["profile.passkeys.create"];
    };
    "/api/v1/profile/passkeys/options": {
        parameters: {
        };
        post: operations["profile.passkeys.start"];
    };
    "/api/v1/profile/passkeys/{passkey}": {
        parameters: {
        };
        delete: operations["profile.passkeys.delete"];
        patch: operations["profile.passkeys.update"];
    };
    "/api/v1/profile/password": {
        parameters: {
        };
        post: operations["profile.changePassword"];
    };
    "/api/v1/profile/sessions": {
        parameters: {
        };
        get: operations["profile.sessions.list"];
        delete: operations["profile.sessions.endOthers"];
    };
    "/api/v1/profile/sessions/{session}": {
        parameters: {
        };
        delete: operations["profile.sessions.end"];
    };
    "/api/v1/profile/teams/{tenant_id}": {
        parameters: {
        };
        delete: operations["profile.teams.leave"];
    };
    "/api/v1/profile/trusted-devices": {
        parameters: {
        };
        get: operations["profile.trustedDevices.list"];
        delete: operations["profile.trustedDevices.deleteAll"];
    };
    "/api/v1/profile/trusted-devices/{trusted_device}": {
        parameters: {
        };
        delete: operations["profile.trustedDevices.delete"];
    };
    "/api/v1/regions": {
        parameters: {
        };
        get: operations["regions.list"];
    };
    "/api/v1/reseller/custom-domains": {
        parameters: {
        };
        get: operations["reseller.customDomains.list"];
        post: operations["reseller.customDomains.create"];
    };
    "/api/v1/reseller/custom-domains/{custom_domain}": {
        parameters: {
        };
        get: operations["reseller.customDomains.get"];
        delete: operations["reseller.customDomains.delete"];
        patch: operations["reseller.customDomains.update"];
    };
    "/api/v1/reseller/custom-domains/{custom_domain}/verify": {
        parameters: {
        };
        post: operations["reseller.customDomains.verify"];
    };
    "/api/v1/reseller/email-suppression": {
        parameters: {
        };
        get: operations["reseller.emailSuppression.get"];
        put: operations["reseller.emailSuppression.replace"];
    };
    "/api/v1/reseller/incidents/batch-acknowledge": {
        parameters: {
        };
        post: operations["reseller.incidents.batchAcknowledge"];
    };
    "/api/v1/reseller/managed-teams": {
        parameters: {
        };
        get: operations["managedTeams.list"];
        post: operations["managedTeams.create"];
    };
    "/api/v1/reseller/managed-teams/batch": {
        parameters: {
        };
        post: operations["managedTeams.batch"];
    };
    "/api/v1/reseller/managed-teams/trashed": {
        parameters: {
        };
        get: operations["managedTeams.trashed.list"];
    };
    "/api/v1/reseller/managed-teams/{managed_team}": {
        parameters: {
        };
        get: operations["managedTeams.get"];
        delete: operations["managedTeams.delete"];
        patch: operations["managedTeams.update"];
    };
    "/api/v1/reseller/monitor-templates": {
        parameters: {
        };
        get: operations["reseller.monitorTemplates.list"];
        post: operations["reseller.monitorTemplates.create"];
    };
    "/api/v1/reseller/monitor-templates/{monitor_template}": {
        parameters: {
        };
        get: operations["reseller.monitorTemplates.get"];
        delete: operations["reseller.monitorTemplates.delete"];
        patch: operations["reseller.monitorTemplates.update"];
    };
    "/api/v1/reseller/overview": {
        parameters: {
        };
        get: operations["reseller.overview.get"];
    };
    "/api/v1/reseller/portal": {
        parameters: {
        };
        get: operations["reseller.portal.get"];
        patch: operations["reseller.portal.update"];
    };
    "/api/v1/reseller/provisioning-profiles": {
        parameters: {
        };
        get: operations["reseller.provisioningProfiles.list"];
        post: operations["reseller.provisioningProfiles.create"];
    };
    "/api/v1/reseller/provisioning-profiles/{provisioning_profile}": {
        parameters: {
        };
        get: operations["reseller.provisioningProfiles.get"];
        delete: operations["reseller.provisioningProfiles.delete"];
        patch: operations["reseller.provisioningProfiles.update"];
    };
    "/api/v1/reseller/tokens": {
        parameters: {
        };
        get: operations["reseller.tokens.list"];
        post: operations["reseller.tokens.create"];
    };
    "/api/v1/reseller/tokens/scopes": {
        parameters: {
        };
        get: operations["reseller.tokens.scopes.list"];
    };
    "/api/v1/reseller/tokens/{token}": {
        parameters: {
        };
        get: operations["reseller.tokens.get"];
        delete: operations["reseller.tokens.delete"];
    };
    "/api/v1/reseller/tokens/{token}/rotate": {
        parameters: {
        };
        post: operations["reseller.tokens.rotate"];
    };
    "/api/v1/reseller/tokens/{token}/toggle": {
        parameters: {
        };
        post: operations["reseller.tokens.toggle"];
    };
    "/api/v1/reseller/webhooks": {
        parameters: {
        };
        get: operations["reseller.webhooks.list"];
        post: operations["reseller.webhooks.create"];
    };
    "/api/v1/reseller/webhooks/{webhook}": {
        parameters: {
        };
        get: operations["reseller.webhooks.get"];
        delete: operations["reseller.webhooks.delete"];
        patch: operations["reseller.webhooks.update"];
    };
    "/api/v1/reseller/webhooks/{webhook}/deliveries": {
        parameters: {
        };
        get: operations["reseller.webhooks.deliveries.list"];
    };
    "/api/v1/scim-tokens": {
        parameters: {
        };
        get: operations["scimTokens.list"];
        post: operations["scimTokens.create"];
    };
    "/api/v1/scim-tokens/{scim_token}": {
        parameters: {
        };
        delete: operations["scimTokens.delete"];
    };
    "/api/v1/security-policy": {
        parameters: {
        };
        get: operations["securityPolicy.get"];
        patch: operations["securityPolicy.update"];
    };
    "/api/v1/setup": {
        parameters: {
        };
        get: operations["setup.get"];
        post: operations["setup.create"];
    };
    "/api/v1/smtp-config": {
        parameters: {
        };
        get: operations["smtpConfig.get"];
        delete: operations["smtpConfig.delete"];
        patch: operations["smtpConfig.update"];
    };
    "/api/v1/smtp-config/test": {
        parameters: {
        };
        post: operations["smtpConfig.test"];
    };
    "/api/v1/sso/attempts": {
        parameters: {
        };
        get: operations["sso.attempts.list"];
    };
    "/api/v1/sso/config": {
        parameters: {
        };
        get: operations["sso.config.get"];
        delete: operations["sso.config.delete"];
        patch: operations["sso.config.update"];
    };
    "/api/v1/sso/config/test": {
        parameters: {
        };
        post: operations["sso.config.test"];
    };
    "/api/v1/sso/domains": {
        parameters: {
        };
        get: operations["sso.domains.list"];
        post: operations["sso.domains.create"];
    };
    "/api/v1/sso/domains/{sso_domain}": {
        parameters: {
        };
        get: operations["sso.domains.get"];
        delete: operations["sso.domains.delete"];
    };
    "/api/v1/sso/domains/{sso_domain}/verify": {
        parameters: {
        };
        post: operations["sso.domains.verify"];
    };
    "/api/v1/status-page-templates": {
        parameters: {
        };
        get: operations["statusPageTemplates.list"];
        post: operations["statusPageTemplates.create"];
    };
    "/api/v1/status-page-templates/{status_page_template}": {
        parameters: {
        };
        get: operations["statusPageTemplates.get"];
        delete: operations["statusPageTemplates.delete"];
        patch: operations["statusPageTemplates.update"];
    };
    "/api/v1/status-page-templates/{status_page_template}/fill": {
        parameters: {
        };
        post: operations["statusPageTemplates.fill"];
    };
    "/api/v1/status-pages": {
        parameters: {
        };
        get: operations["statusPages.list"];
        post: operations["statusPages.create"];
    };
    "/api/v1/status-pages/preview-text": {
        parameters: {
        };
        post: operations["statusPages.previewText"];
    };
    "/api/v1/status-pages/{status_page}": {
        parameters: {
        };
        get: operations["statusPages.get"];
        delete: operations["statusPages.delete"];
        patch: operations["statusPages.update"];
    };
    "/api/v1/status-pages/{status_page}/components": {
        parameters: {
        };
        get: operations["statusPages.components.list"];
        post: operations["statusPages.components.create"];
    };
    "/api/v1/status-pages/{status_page}/components/order": {
        parameters: {
        };
        put: operations["statusPages.components.order"];
    };
    "/api/v1/status-pages/{status_page}/components/{component}": {
        parameters: {
        };
        get: operations["statusPages.components.get"];
        delete: operations["statusPages.components.delete"];
        patch: operations["statusPages.components.update"];
    };
    "/api/v1/status-pages/{status_page}/groups": {
        parameters: {
        };
        get: operations["statusPages.groups.list"];
        post: operations["statusPages.groups.create"];
    };
    "/api/v1/status-pages/{status_page}/groups/order": {
        parameters: {
        };
        put: operations["statusPages.groups.order"];
    };
    "/api/v1/status-pages/{status_page}/groups/{group}": {
        parameters: {
        };
        get: operations["statusPages.groups.get"];
        delete: operations["statusPages.groups.delete"];
        patch: operations["statusPages.groups.update"];
    };
    "/api/v1/status-pages/{status_page}/posts": {
        parameters: {
        };
        get: operations["statusPages.posts.list"];
        post: operations["statusPages.posts.create"];
    };
    "/api/v1/status-pages/{status_page}/posts/{post}": {
        parameters: {
        };
        get: operations["statusPages.posts.get"];
        delete: operations["statusPages.posts.delete"];
        patch: operations["statusPages.posts.update"];
    };
    "/api/v1/status-pages/{status_page}/posts/{post}/postmortem": {
        parameters: {
        };
        put: operations["statusPages.postmortems.set"];
        delete: operations["statusPages.postmortems.delete"];
    };
    "/api/v1/status-pages/{status_page}/posts/{post}/updates": {
        parameters: {
        };
        get: operations["statusPages.posts.updates.list"];
        post: operations["statusPages.posts.updates.create"];
    };
    "/api/v1/status-pages/{status_page}/posts/{post}/updates/{update}": {
        parameters: {
        };
        patch: operations["statusPages.posts.updates.update"];
    };
    "/api/v1/status-pages/{status_page}/subscribers": {
        parameters: {
        };
        get: operations["statusPages.subscribers.list"];
        post: operations["statusPages.subscribers.create"];
    };
    "/api/v1/status-pages/{status_page}/subscribers/counts": {
        parameters: {
        };
        get: operations["statusPageSubscribers.count"];
    };
    "/api/v1/status-pages/{status_page}/subscribers/export": {
        parameters: {
        };
        get: operations["statusPageSubscribers.export"];
    };
    "/api/v1/status-pages/{status_page}/subscribers/import": {
        parameters: {
        };
        post: operations["statusPageSubscribers.import"];
    };
    "/api/v1/status-pages/{status_page}/subscribers/{subscriber}": {
        parameters: {
        };
        delete: operations["statusPages.subscribers.delete"];
    };
    "/api/v1/status-subscriptions": {
        parameters: {
        };
        put: operations["statusSubscriptions.update"];
    };
    "/api/v1/status-subscriptions/confirm": {
        parameters: {
        };
        post: operations["statusSubscriptions.confirm"];
    };
    "/api/v1/status-subscriptions/lookup": {
        parameters: {
        };
        post: operations["statusSubscriptions.get"];
    };
    "/api/v1/status-subscriptions/unsubscribe": {
        parameters: {
        };
        post: operations["statusSubscriptions.unsubscribe"];
    };
    "/api/v1/status/{slug}/subscribe": {
        parameters: {
        };
        post: operations["statusPages.subscribe"];
    };
    "/api/v1/stream": {
        parameters: {
        };
        get: operations["stream.get"];
    };
    "/api/v1/tags": {
        parameters: {
        };
        get: operations["tags.list"];
    };
    "/api/v1/tenants": {
        parameters: {
        };
        get: operations["tenants.list"];
        post: operations["tenants.create"];
    };
    "/api/v1/tenants/{tenant}": {
        parameters: {
        };
        get: operations["tenants.get"];
        patch: operations["tenants.update"];
    };
    "/api/v1/tenants/{tenant}/billing": {
        parameters: {
        };
        get: operations["tenants.billing.get"];
    };
    "/api/v1/tenants/{tenant}/billing/invoices": {
        parameters: {
        };
        get: operations["tenants.billing.invoices.list"];
    };
    "/api/v1/tenants/{tenant}/billing/invoices/{invoice}/mark-paid": {
        parameters: {
        };
        post: operations["tenants.billing.invoices.markPaid"];
    };
    "/api/v1/tenants/{tenant}/billing/invoices/{invoice}/void": {
        parameters: {
        };
        post: operations["tenants.billing.invoices.void"];
    };
    "/api/v1/user": {
        parameters: {
        };
        get: operations["user.get"];
    };
}
export interface webhooks {
    "team.provisioned": {
        parameters: {
        };
        post: operations["onTeamProvisioned"];
    };
    "team.deleted": {
        parameters: {
        };
        post: operations["onTeamDeleted"];
    };
    "team.paused": {
        parameters: {
        };
        post: operations["onTeamPaused"];
    };
    "team.unpaused": {
        parameters: {
        };
        post: operations["onTeamUnpaused"];
    };
    "team.trial_ending": {
        parameters: {
        };
        post: operations["onTeamTrialEnding"];
    };
    "team.trial_expired": {
        parameters: {
        };
        post: operations["onTeamTrialExpired"];
    };
    "tenant.quota_warning": {
        parameters: {
        };
        post: operations["onTenantQuotaWarning"];
    };
    "tenant.quota_exceeded": {
        parameters: {
        };
        post: operations["onTenantQuotaExceeded"];
    };
    "monitor.created": {
        parameters: {
        };
        post: operations["onMonitorCreated"];
    };
    "monitor.updated": {
        parameters: {
        };
        post: operations["onMonitorUpdated"];
    };
    "monitor.deleted": {
        parameters: {
        };
        post: operations["onMonitorDeleted"];
    };
    "monitor.enabled": {
        parameters: {
        };
        post: operations["onMonitorEnabled"];
    };
    "monitor.disabled": {
        parameters: {
        };
        post: operations["onMonitorDisabled"];
    };
    "monitor.flapping": {
        parameters: {
        };
        post: operations["onMonitorFlapping"];
    };
    "monitor.flapping_resolved": {
        parameters: {
        };
        post: operations["onMonitorFlappingResolved"];
    };
    "member.added": {
        parameters: {
        };
        post: operations["onMemberAdded"];
    };
    "member.removed": {
        parameters: {
        };
        post: operations["onMemberRemoved"];
    };
    "member.erased": {
        parameters: {
        };
        post: operations["onMemberErased"];
    };
    "incident.created": {
        parameters: {
        };
        post: operations["onIncidentCreated"];
    };
    "incident.resolved": {
        parameters: {
        };
        post: operations["onIncidentResolved"];
    };
    "incident.escalated": {
        parameters: {
        };
        post: operations["onIncidentEscalated"];
    };
    "incident.escalation_exhausted": {
        parameters: {
        };
        post: operations["onIncidentEscalationExhausted"];
    };
    "warning.ssl_expiring": {
        parameters: {
        };
        post: operations["onWarningSslExpiring"];
    };
    "warning.domain_expiring": {
        parameters: {
        };
        post: operations["onWarningDomainExpiring"];
    };
    "warning.degraded_performance": {
        parameters: {
        };
        post: operations["onWarningDegradedPerformance"];
    };
    "warning.application_health": {
        parameters: {
        };
        post: operations["onWarningApplicationHealth"];
    };
    "warning.sitemap_issues": {
        parameters: {
        };
        post: operations["onWarningSitemapIssues"];
    };
    "warning.security_headers": {
        parameters: {
        };
        post: operations["onWarningSecurityHeaders"];
    };
    "warning.redirect_chain": {
        parameters: {
        };
        post: operations["onWarningRedirectChain"];
    };
    "warning.robots_txt": {
        parameters: {
        };
        post: operations["onWarningRobotsTxt"];
    };
    "warning.dnsbl_listing": {
        parameters: {
        };
        post: operations["onWarningDnsblListing"];
    };
    "warning.broken_links": {
        parameters: {
        };
        post: operations["onWarningBrokenLinks"];
    };
    "warning.mixed_content": {
        parameters: {
        };
        post: operations["onWarningMixedContent"];
    };
    "warning.server_resources": {
        parameters: {
        };
        post: operations["onWarningServerResources"];
    };
    "warning.cleared": {
        parameters: {
        };
        post: operations["onWarningCleared"];
    };
    "dns.records_changed": {
        parameters: {
        };
        post: operations["onDnsRecordsChanged"];
    };
    "dns.nameserver_changed": {
        parameters: {
        };
        post: operations["onDnsNameserverChanged"];
    };
    "certificate.renewed": {
        parameters: {
        };
        post: operations["onCertificateRenewed"];
    };
    "maintenance.scheduled": {
        parameters: {
        };
        post: operations["onMaintenanceScheduled"];
    };
    "maintenance.started": {
        parameters: {
        };
        post: operations["onMaintenanceStarted"];
    };
    "maintenance.ended": {
        parameters: {
        };
        post: operations["onMaintenanceEnded"];
    };
    "maintenance.cancelled": {
        parameters: {
        };
        post: operations["onMaintenanceCancelled"];
    };
    "status_page.published": {
        parameters: {
        };
        post: operations["onStatusPagePublished"];
    };
    "status_page.incident_posted": {
        parameters: {
        };
        post: operations["onStatusPageIncidentPosted"];
    };
    "status_page.incident_updated": {
        parameters: {
        };
        post: operations["onStatusPageIncidentUpdated"];
    };
    "on_call.gap_found": {
        parameters: {
        };
        post: operations["onOnCallGapFound"];
    };
    "billing.plan_changed": {
        parameters: {
        };
        post: operations["onBillingPlanChanged"];
    };
    "billing.payment_failed": {
        parameters: {
        };
        post: operations["onBillingPaymentFailed"];
    };
    "billing.invoice_paid": {
        parameters: {
        };
        post: operations["onBillingInvoicePaid"];
    };
    "storm.detected": {
        parameters: {
        };
        post: operations["onStormDetected"];
    };
    "storm.resolved": {
        parameters: {
        };
        post: operations["onStormResolved"];
    };
    "email.invitation": {
        parameters: {
        };
        post: operations["onEmailInvitation"];
    };
    "email.member_removed": {
        parameters: {
        };
        post: operations["onEmailMemberRemoved"];
    };
    "email.trial_ending": {
        parameters: {
        };
        post: operations["onEmailTrialEnding"];
    };
    "email.trial_expired": {
        parameters: {
        };
        post: operations["onEmailTrialExpired"];
    };
    "email.incident_created": {
        parameters: {
        };
        post: operations["onEmailIncidentCreated"];
    };
    "email.incident_resolved": {
        parameters: {
        };
        post: operations["onEmailIncidentResolved"];
    };
    "email.warning": {
        parameters: {
        };
        post: operations["onEmailWarning"];
    };
    "email.dns_changed": {
        parameters: {
        };
        post: operations["onEmailDnsChanged"];
    };
    "email.certificate_renewed": {
        parameters: {
        };
        post: operations["onEmailCertificateRenewed"];
    };
    "email.digest": {
        parameters: {
        };
        post: operations["onEmailDigest"];
    };
    "email.monthly_report": {
        parameters: {
        };
        post: operations["onEmailMonthlyReport"];
    };
    "email.status_page_subscription": {
        parameters: {
        };
        post: operations["onEmailStatusPageSubscription"];
    };
    "email.security_mfa_enabled": {
        parameters: {
        };
        post: operations["onEmailSecurityMfaEnabled"];
    };
    "email.security_mfa_disabled": {
        parameters: {
        };
        post: operations["onEmailSecurityMfaDisabled"];
    };
    "email.security_recovery_codes_regenerated": {
        parameters: {
        };
        post: operations["onEmailSecurityRecoveryCodesRegenerated"];
    };
    "email.security_mfa_reset": {
        parameters: {
        };
        post: operations["onEmailSecurityMfaReset"];
    };
    "email.security_passkey_added": {
        parameters: {
        };
        post: operations["onEmailSecurityPasskeyAdded"];
    };
    "email.security_passkey_removed": {
        parameters: {
        };
        post: operations["onEmailSecurityPasskeyRemoved"];
    };
    "email.security_password_changed": {
        parameters: {
        };
        post: operations["onEmailSecurityPasswordChanged"];
    };
    "email.security_email_changed": {
        parameters: {
        };
        post: operations["onEmailSecurityEmailChanged"];
    };
    "email.security_api_token_created": {
        parameters: {
        };
        post: operations["onEmailSecurityApiTokenCreated"];
    };
    "email.security_api_token_revoked": {
        parameters: {
        };
        post: operations["onEmailSecurityApiTokenRevoked"];
    };
    "email.security_session_revoked": {
        parameters: {
        };
        post: operations["onEmailSecuritySessionRevoked"];
    };
    "email.security_login_new_device": {
        parameters: {
        };
        post: operations["onEmailSecurityLoginNewDevice"];
    };
    "email.security_account_blocked": {
        parameters: {
        };
        post: operations["onEmailSecurityAccountBlocked"];
    };
    "email.security_account_unblocked": {
        parameters: {
        };
        post: operations["onEmailSecurityAccountUnblocked"];
    };
    "email.security_role_changed": {
        parameters: {
        };
        post: operations["onEmailSecurityRoleChanged"];
    };
    "email.security_auth_policy_changed": {
        parameters: {
        };
        post: operations["onEmailSecurityAuthPolicyChanged"];
    };
    "email.security_account_deleted": {
        parameters: {
        };
        post: operations["onEmailSecurityAccountDeleted"];
    };
    "monitor.down": {
        parameters: {
        };
        post: operations["onMonitorDown"];
    };
    "monitor.up": {
        parameters: {
        };
        post: operations["onMonitorUp"];
    };
    "ssl.expiring": {
        parameters: {
        };
        post: operations["onSslExpiring"];
    };
}
export interface components {
    schemas: {
        ServerBatch: {
            /** Format: uuid */
            batch: string;
            host?: {
                name: string;
                os: string;
                kernel: string;
                arch: string;
                /** Format: int32 */
                cores: number;
                /** Format: int64 */
                memory_bytes: number;
                agent: string;
            };
            samples: {
                /** Format: int64 */
                at: number;
                metrics: {
                    [key: string]: number | {
                        [key: string]: number;
                    };
                };
                processes?: {
                    name: string;
                    cpu: number;
                    memory: number;
                }[];
            }[];
        };
        Ping: {
            state?: components["schemas"]["PingState"];
            rid?: string;
            /** Format: int32 */
            exit_code?: number;
            output?: string;
        };
        ScimUserInput: {
            schemas?: unknown;
            userName?: unknown;
            externalId?: unknown;
            displayName?: unknown;
            name?: unknown;
            active?: unknown;
            emails?: unknown;
            roles?: unknown;
        } & {
            [key: string]: unknown;
        };
        ScimPatch: {
            schemas?: unknown;
            Operations?: unknown;
        } & {
            [key: string]: unknown;
        };
        NewAgentMonitor: {
            name: string;
            tags?: string[];
            /** @default null */
            group: string | null;
            /** @default null */
            notes: string | null;
            /** @default true */
            is_enabled: boolean;
            depends_on?: string[];
            /** @default null */
            escalation_policy_id: string | null;
            /** @default null */
            external_ref: string | null;
            /** @default {} */
            metadata: {
                [key: string]: string | number | boolean | null;
            };
            /** @default null */
            slo: components["schemas"]["Slo"] | null;
            /**
             * @default [
             *       {
             *         "metric": "cpu",
             *         "label": null,
             *         "above": 95,
             *         "for_minutes": 15,
             *         "severity": "warning"
             *       },
             *       {
             *         "metric": "memory",
             *         "label": null,
             *         "above": 95,
             *         "for_minutes": 10,
             *         "severity": "warning"
             *       },
             *       {
             *         "metric": "disk",
             *         "label": null,
             *         "above": 90,
             *         "for_minutes": 5,
             *         "severity": "warning"
             *       }
             *     ]
             */
            thresholds: components["schemas"]["ServerThreshold"][];
            /** @default 10 */
            no_data_after_minutes: number | null;
            /** @default critical */
            severity: components["schemas"]["Severity"];
        };
        Slo: {
            target_pct: number;
            /**
             * Format: int32
             * @default 30
             */
            window_days: number;
        };
        ServerThreshold: {
            metric: components["schemas"]["ServerMetric"];
            above: number;
            /**
             * Format: int32
             * @default 5
             */
            for_minutes: number;
            /** @default warning */
            severity: components["schemas"]["ThresholdSeverity"];
            /** @default null */
            label: string | null;
        };
        AgentMonitorChanges: {
            name?: string;
            tags?: string[];
            group?: string | null;
            notes?: string | null;
            is_enabled?: boolean;
            depends_on?: string[];
            escalation_policy_id?: string | null;
            external_ref?: string | null;
            metadata?: {
                [key: string]: string | number | boolean | null;
            };
            slo?: components["schemas"]["Slo"] | null;
            thresholds?: components["schemas"]["ServerThreshold"][];
            no_data_after_minutes?: number | null;
            severity?: components["schemas"]["Severity"];
        };
        PasskeySignIn: {
            id: string;
            rawId: string;
            /** @constant */
            type: "public-key";
            authenticatorAttachment?: ("platform" | "cross-platform") | null;
            clientExtensionResults?: {
                [key: string]: unknown;
            };
            response: {
                clientDataJSON: string;
                authenticatorData: string;
                signature: string;
                userHandle?: string | null;
            };
        };
        BrandingChanges: {
            brand_name?: string | null;
            alert_prefix?: string | null;
            logo_url?: string | null;
            logo_url_dark?: string | null;
            symbol_url?: string | null;
            favicon_url?: string | null;
            footer_url?: string | null;
            privacy_url?: string | null;
            imprint_url?: string | null;
            upgrade_url?: string | null;
            support_url?: string | null;
            primary_color?: string | null;
            secondary_color?: string | null;
            footer_text?: string | null;
            hide_powered_by?: boolean | null;
            notification_from_name?: string | null;
            upsell_mode?: components["schemas"]["UpsellMode"] | null;
            upsell_cta?: components["schemas"]["UpsellCta"] | null;
            plan_labels?: {
                free?: string;
                hobby?: string;
                starter?: string;
                pro?: string;
            } | null;
            upsell_offers?: {
                [key: string]: {
                    label: string;
                    /** @default null */
                    url: string | null;
                };
            } | null;
            upsell_threshold?: number | null;
        };
        NewCronMonitor: {
            name: string;
            tags?: string[];
            /** @default null */
            group: string | null;
            /** @default null */
            notes: string | null;
            /** @default true */
            is_enabled: boolean;
            depends_on?: string[];
            /** @default null */
            escalation_policy_id: string | null;
            /** @default null */
            external_ref: string | null;
            /** @default {} */
            metadata: {
                [key: string]: string | number | boolean | null;
            };
            /** @default null */
            slo: components["schemas"]["Slo"] | null;
            url?: string;
            severity?: components["schemas"]["CheckSeverity"];
            schedule_kind?: components["schemas"]["ScheduleKind"];
            schedule?: string | null;
            timezone?: string;
            period_minutes?: number | null;
            /** Format: int32 */
            grace_minutes?: number;
            max_run_minutes?: number | null;
            fail_keyword?: string | null;
        };
        CronMonitorChanges: {
            name?: string;
            tags?: string[];
            group?: string | null;
            notes?: string | null;
            is_enabled?: boolean;
            depends_on?: string[];
            escalation_policy_id?: string | null;
            external_ref?: string | null;
            metadata?: {
                [key: string]: string | number | boolean | null;
            };
            slo?: components["schemas"]["Slo"] | null;
            url?: string;
            severity?: components["schemas"]["CheckSeverity"];
            schedule_kind?: components["schemas"]["ScheduleKind"];
            schedule?: string | null;
            timezone?: string;
            period_minutes?: number | null;
            /** Format: int32 */
            grace_minutes?: number;
            max_run_minutes?: number | null;
            fail_keyword?: string | null;
        };
        NewEscalationPolicy: {
            name: string;
            /** @default false */
            is_default: boolean;
            /**
             * Format: int32
             * @default 0
             */
            repeat_count: number;
            /**
             * Format: int32
             * @default 10
             */
            repeat_delay_minutes: number;
            /** @default null */
            fallback_policy_id: string | null;
            steps: components["schemas"]["NewEscalationStep"][];
        };
        NewEscalationStep: {
            /** Format: int32 */
            order?: number;
            /** Format: int32 */
            delay_minutes: number;
            /** @default all */
            assignment: components["schemas"]["EscalationAssignment"];
            /** @default null */
            only_if: components["schemas"]["EscalationCondition"] | null;
            targets: components["schemas"]["EscalationTarget"][];
        };
        EscalationCondition: {
            /** @default null */
            severity: components["schemas"]["Severity"][] | null;
            /** @default null */
            days: components["schemas"]["Weekday"][] | null;
            /** @default null */
            from: string | null;
            /** @default null */
            to: string | null;
            /** @default null */
            timezone: string | null;
        };
        EscalationTarget: {
            type: components["schemas"]["EscalationTargetType"];
            /** @default null */
            id: string | null;
            /** @default current */
            position: components["schemas"]["EscalationPosition"];
        };
        EscalationPolicyChanges: {
            name?: string;
            is_default?: boolean;
            /** Format: int32 */
            repeat_count?: number;
            /** Format: int32 */
            repeat_delay_minutes?: number;
            fallback_policy_id?: string | null;
            steps?: components["schemas"]["EscalationStepChange"][];
        };
        EscalationStepChange: {
            /** Format: uuid */
            id?: string;
            /** Format: int32 */
            order?: number;
            /** Format: int32 */
            delay_minutes: number;
            /** @default all */
            assignment: components["schemas"]["EscalationAssignment"];
            /** @default null */
            only_if: components["schemas"]["EscalationCondition"] | null;
            targets: components["schemas"]["EscalationTarget"][];
        };
        NewMaintenanceWindow: {
            title: string;
            /** @default  */
            description: string;
            scope: {
                /** @default [] */
                monitor_ids: string[];
                /** @default [] */
                tags: string[];
                /** @default false */
                all: boolean;
            };
            starts_at: string;
            timezone: string;
            /** Format: int32 */
            duration_minutes: number;
            /** @default null */
            rrule: string | null;
            until?: string | null;
            /** @default [] */
            status_page_ids: string[];
            /** @default suppress_alerts */
            mode: components["schemas"]["MaintenanceMode"];
            /** @default true */
            exclude_from_uptime: boolean;
            /** @default {} */
            notify: components["schemas"]["MaintenanceNotify"];
        };
        MaintenanceNotify: {
            /** @default false */
            on_create: boolean;
            /** @default [] */
            before_minutes: number[];
            /** @default false */
            on_start: boolean;
            /** @default false */
            on_end: boolean;
        };
        MaintenanceWindowChanges: {
            title?: string;
            description?: string;
            scope?: {
                /** @default [] */
                monitor_ids: string[];
                /** @default [] */
                tags: string[];
                /** @default false */
                all: boolean;
            };
            starts_at?: string;
            timezone?: string;
            /** Format: int32 */
            duration_minutes?: number;
            rrule?: string | null;
            until?: string | null;
            status_page_ids?: string[];
            mode?: components["schemas"]["MaintenanceMode"];
            exclude_from_uptime?: boolean;
            notify?: components["schemas"]["MaintenanceNotify"];
        };
        NewMonitor: {
            name: string;
            url: string;
            tags?: string[];
            /** @default null */
            group: string | null;
            /** @default null */
            notes: string | null;
            /** @default true */
            is_enabled: boolean;
            /** Format: int32 */
            check_interval?: number;
            /**
             * Format: int32
             * @default 10
             */
            timeout: number;
            regions?: string[];
            /**
             * @default {
             *       "mode": "majority",
             *       "count": null
             *     }
             */
            region_policy: components["schemas"]["RegionPolicy"];
            /**
             * Format: int32
             * @default 2
             */
            confirmations: number;
            /**
             * Format: int32
             * @default 2
             */
            recovery_confirmations: number;
            depends_on?: string[];
            /** @default null */
            escalation_policy_id: string | null;
            /** @default null */
            external_ref: string | null;
            /** @default {} */
            metadata: {
                [key: string]: string | number | boolean | null;
            };
            /** @default null */
            slo: components["schemas"]["Slo"] | null;
            /** @default website */
            type: components["schemas"]["WatchedType"];
            checks?: components["schemas"]["NewCheck"][];
        };
        RegionPolicy: {
            mode: components["schemas"]["PolicyMode"];
            /** @default null */
            count: number | null;
        };
        NewCheck: components["schemas"]["NewUptimeCheck"] | components["schemas"]["NewSslCheck"] | components["schemas"]["NewDnsCheck"] | components["schemas"]["NewTcpCheck"] | components["schemas"]["NewPingCheck"] | components["schemas"]["NewDomainExpiryCheck"] | components["schemas"]["NewDnsblCheck"] | components["schemas"]["NewSecurityHeadersCheck"] | components["schemas"]["NewRedirectChainCheck"] | components["schemas"]["NewMixedContentCheck"] | components["schemas"]["NewBrokenLinksCheck"] | components["schemas"]["NewCrawlCheck"] | components["schemas"]["NewCronCheck"] | components["schemas"]["NewRobotsTxtCheck"] | components["schemas"]["NewApplicationHealthCheck"] | components["schemas"]["NewSitemapCheck"] | components["schemas"]["NewLighthouseCheck"] | components["schemas"]["NewAgentCheck"];
        NewUptimeCheck: {
            interval?: number | null;
            severity?: components["schemas"]["CheckSeverity"];
            /** @default true */
            is_enabled: boolean;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "uptime";
            /** @default {} */
            settings: {
                /**
                 * @default GET
                 * @enum {string}
                 */
                method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
                /** @default {} */
                headers: {
                    [key: string]: string;
                };
                /** @default null */
                body: string | null;
                /**
                 * @default [
                 *       "200-299"
                 *     ]
                 */
                expected_status: (number | string)[];
                /**
                 * @default [
                 *       "429",
                 *       "503"
                 *     ]
                 */
                warning_status: (number | string)[];
                /** @default null */
                keyword_present: string | null;
                /** @default null */
                keyword_absent: string | null;
                /** @default [] */
                assertions: {
                    /** @enum {string} */
                    source: "status" | "header" | "json" | "time" | "body";
                    /** @default  */
                    property: string;
                    /** @enum {string} */
                    comparison: "equals" | "not_equals" | "contains" | "not_contains" | "greater_than" | "less_than" | "is_empty" | "not_empty";
                    /** @default  */
                    target: string | number | boolean;
                }[];
                /** @default true */
                follow_redirects: boolean;
                /**
                 * Format: int32
                 * @default 5
                 */
                max_redirects: number;
                /** @default false */
                allow_downgrade: boolean;
                /** @default true */
                verify_tls: boolean;
                /** @default any */
                ip_version: components["schemas"]["IpVersion"];
                /** @default null */
                auth: ({
                    /** @constant */
                    type: "basic";
                    username: string;
                    password: string;
                } | {
                    /** @constant */
                    type: "bearer";
                    token: string;
                }) | null;
                /**
                 * Format: int32
                 * @default 10000
                 */
                timeout_ms: number;
                /** @default null */
                degraded_after_ms: number | null;
            };
        };
        NewSslCheck: {
            interval?: number | null;
            severity?: components["schemas"]["CheckSeverity"];
            /** @default true */
            is_enabled: boolean;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "ssl";
            /** @default {} */
            settings: {
                /** @default null */
                port: number | null;
                /**
                 * @default [
                 *       30,
                 *       14,
                 *       7,
                 *       3,
                 *       1
                 *     ]
                 */
                warn_days: number[];
                /** @default any */
                ip_version: components["schemas"]["IpVersion"];
                /**
                 * Format: int32
                 * @default 10000
                 */
                timeout_ms: number;
            };
        };
        NewDnsCheck: {
            interval?: number | null;
            severity?: components["schemas"]["CheckSeverity"];
            /** @default true */
            is_enabled: boolean;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "dns";
            /** @default {} */
            settings: {
                /** @default null */
                name: string | null;
                /**
                 * @default [
                 *       "A",
                 *       "AAAA"
                 *     ]
                 */
                record_types: components["schemas"]["DnsRecordType"][];
                /** @default [] */
                resolvers: string[];
                /** @default {} */
                expected: {
                    [key: string]: string[];
                };
                /** @default false */
                exact: boolean;
                /** @default true */
                detect_changes: boolean;
                /**
                 * Format: int32
                 * @default 10000
                 */
                timeout_ms: number;
                /** @default null */
                degraded_after_ms: number | null;
            };
        };
        NewTcpCheck: {
            interval?: number | null;
            severity?: components["schemas"]["CheckSeverity"];
            /** @default true */
            is_enabled: boolean;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tcp";
            /** @default {} */
            settings: {
                /** Format: int32 */
                port: number;
                /** @default null */
                send: string | null;
                /** @default null */
                expect: string | null;
                /** @default any */
                ip_version: components["schemas"]["IpVersion"];
                /**
                 * Format: int32
                 * @default 10000
                 */
                timeout_ms: number;
                /** @default null */
                degraded_after_ms: number | null;
            };
        };
        NewPingCheck: {
            interval?: number | null;
            severity?: components["schemas"]["CheckSeverity"];
            /** @default true */
            is_enabled: boolean;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "ping";
            /** @default {} */
            settings: {
                /**
                 * Format: int32
                 * @default 5
                 */
                packets: number;
                /**
                 * Format: int32
                 * @default 40
                 */
                warn_loss_percent: number;
                /**
                 * Format: int32
                 * @default 100
                 */
                down_loss_percent: number;
                /** @default any */
                ip_version: components["schemas"]["IpVersion"];
                /**
                 * Format: int32
                 * @default 10000
                 */
                timeout_ms: number;
                /** @default null */
                degraded_after_ms: number | null;
            };
        };
        NewDomainExpiryCheck: {
            interval?: number | null;
            severity?: components["schemas"]["CheckSeverity"];
            /** @default true */
            is_enabled: boolean;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "domain_expiry";
            /** @default {} */
            settings: {
                /**
                 * @default [
                 *       60,
                 *       30,
                 *       14,
                 *       7,
                 *       1
                 *     ]
                 */
                warn_days: number[];
                /**
                 * Format: int32
                 * @default 10000
                 */
                timeout_ms: number;
            };
        };
        NewDnsblCheck: {
            interval?: number | null;
            severity?: components["schemas"]["CheckSeverity"];
            /** @default true */
            is_enabled: boolean;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "dnsbl";
            /** @default {} */
            settings: {
                /**
                 * @default [
                 *       "spamhaus_zen",
                 *       "spamhaus_dbl",
                 *       "spamcop",
                 *       "barracuda",
                 *       "psbl",
                 *       "uceprotect_1",
                 *       "mailspike",
                 *       "dronebl",
                 *       "blocklist_de",
                 *       "s5h",
                 *       "surbl",
                 *       "uribl"
                 *     ]
                 */
                lists: components["schemas"]["BlockList"][];
                /** @default false */
                count_policy: boolean;
                /** @default any */
                ip_version: components["schemas"]["IpVersion"];
                /**
                 * Format: int32
                 * @default 10000
                 */
                timeout_ms: number;
            };
        };
        NewSecurityHeadersCheck: {
            interval?: number | null;
            severity?: components["schemas"]["CheckSeverity"];
            /** @default true */
            is_enabled: boolean;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "security_headers";
            /** @default {} */
            settings: {
                /** @default null */
                min_grade: components["schemas"]["HeaderGrade"] | null;
                /** @default [] */
                required: string[];
                /** @default true */
                detect_drops: boolean;
                /** @default any */
                ip_version: components["schemas"]["IpVersion"];
                /**
                 * Format: int32
                 * @default 10000
                 */
                timeout_ms: number;
            };
        };
        NewRedirectChainCheck: {
            interval?: number | null;
            severity?: components["schemas"]["CheckSeverity"];
            /** @default true */
            is_enabled: boolean;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "redirect_chain";
            /** @default {} */
            settings: {
                /**
                 * Format: int32
                 * @default 5
                 */
                max_hops: number;
                /** @default null */
                final_url: string | null;
                /** @default true */
                detect_changes: boolean;
                /** @default false */
                allow_downgrade: boolean;
                /** @default true */
                verify_tls: boolean;
                /** @default any */
                ip_version: components["schemas"]["IpVersion"];
                /**
                 * Format: int32
                 * @default 10000
                 */
                timeout_ms: number;
                /** @default null */
                degraded_after_ms: number | null;
            };
        };
        NewMixedContentCheck: {
            interval?: number | null;
            severity?: components["schemas"]["CheckSeverity"];
            /** @default true */
            is_enabled: boolean;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "mixed_content";
            /** @default {} */
            settings: {
                /**
                 * Format: int32
                 * @default 500
                 */
                max_pages: number;
                /**
                 * Format: int32
                 * @default 20
                 */
                max_depth: number;
                /** @default 2 */
                requests_per_second: number;
                /**
                 * Format: int32
                 * @default 2
                 */
                concurrency: number;
                /**
                 * Format: int32
                 * @default 10000
                 */
                page_timeout_ms: number;
                /**
                 * Format: int32
                 * @default 2000000
                 */
                max_page_bytes: number;
                /** @default false */
                include_subdomains: boolean;
                /** @default false */
                respect_nofollow: boolean;
                /** @default [] */
                ignore: string[];
                /** @default warning */
                active: components["schemas"]["FindingSeverity"];
                /** @default warning */
                passive: components["schemas"]["FindingSeverity"];
                /** @default warning */
                forms: components["schemas"]["FindingSeverity"];
            };
        };
        NewBrokenLinksCheck: {
            interval?: number | null;
            severity?: components["schemas"]["CheckSeverity"];
            /** @default true */
            is_enabled: boolean;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "broken_links";
            /** @default {} */
            settings: {
                /**
                 * Format: int32
                 * @default 500
                 */
                max_pages: number;
                /**
                 * Format: int32
                 * @default 20
                 */
                max_depth: number;
                /** @default 2 */
                requests_per_second: number;
                /**
                 * Format: int32
                 * @default 2
                 */
                concurrency: number;
                /**
                 * Format: int32
                 * @default 10000
                 */
                page_timeout_ms: number;
                /**
                 * Format: int32
                 * @default 2000000
                 */
                max_page_bytes: number;
                /** @default false */
                include_subdomains: boolean;
                /** @default false */
                respect_nofollow: boolean;
                /** @default [] */
                ignore: string[];
                /** @default true */
                check_external: boolean;
                /** @default true */
                check_assets: boolean;
                /**
                 * @default [
                 *       401,
                 *       403,
                 *       405,
                 *       406,
                 *       429,
                 *       999
                 *     ]
                 */
                tolerated_status: number[];
                /** @default warning */
                internal: components["schemas"]["FindingSeverity"];
                /** @default warning */
                external: components["schemas"]["FindingSeverity"];
                /**
                 * Format: int32
                 * @default 0
                 */
                max_broken: number;
            };
        };
        NewCrawlCheck: {
            interval?: number | null;
            severity?: components["schemas"]["CheckSeverity"];
            /** @default true */
            is_enabled: boolean;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "crawl";
            /** @default {} */
            settings: {
                /**
                 * Format: int32
                 * @default 500
                 */
                max_pages: number;
                /**
                 * Format: int32
                 * @default 20
                 */
                max_depth: number;
                /** @default 2 */
                requests_per_second: number;
                /**
                 * Format: int32
                 * @default 2
                 */
                concurrency: number;
                /**
                 * Format: int32
                 * @default 10000
                 */
                page_timeout_ms: number;
                /**
                 * Format: int32
                 * @default 2000000
                 */
                max_page_bytes: number;
                /** @default false */
                include_subdomains: boolean;
                /** @default false */
                respect_nofollow: boolean;
                /** @default [] */
                ignore: string[];
                /** @default false */
                check_external: boolean;
                /** @default false */
                check_assets: boolean;
                /** @default null */
                min_pages: number | null;
                /** @default null */
                max_failed_pages: number | null;
            };
        };
        NewCronCheck: {
            interval?: number | null;
            severity?: components["schemas"]["CheckSeverity"];
            /** @default true */
            is_enabled: boolean;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "cron";
            /** @default {} */
            settings: {
                /** @default simple */
                schedule_kind: components["schemas"]["ScheduleKind"];
                /** @default null */
                schedule: string | null;
                /** @default UTC */
                timezone: string;
                /** @default 60 */
                period_minutes: number | null;
                /**
                 * Format: int32
                 * @default 5
                 */
                grace_minutes: number;
                /** @default null */
                max_run_minutes: number | null;
                /** @default null */
                fail_keyword: string | null;
            };
        };
        NewRobotsTxtCheck: {
            interval?: number | null;
            severity?: components["schemas"]["CheckSeverity"];
            /** @default true */
            is_enabled: boolean;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "robots_txt";
            /** @default {} */
            settings: {
                /**
                 * @default [
                 *       "*"
                 *     ]
                 */
                user_agents: string[];
                /** @default [] */
                must_allow: string[];
                /** @default [] */
                must_disallow: string[];
                /** @default false */
                expect_blocked: boolean;
                /** @default false */
                must_exist: boolean;
                /** @default true */
                detect_changes: boolean;
                /** @default true */
                verify_tls: boolean;
                /** @default any */
                ip_version: components["schemas"]["IpVersion"];
                /**
                 * Format: int32
                 * @default 10000
                 */
                timeout_ms: number;
            };
        };
        NewApplicationHealthCheck: {
            interval?: number | null;
            severity?: components["schemas"]["CheckSeverity"];
            /** @default true */
            is_enabled: boolean;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "application_health";
            /** @default {} */
            settings: {
                /** @default null */
                path: string | null;
                /** @default {} */
                headers: {
                    [key: string]: string;
                };
                /** @default null */
                auth: ({
                    /** @constant */
                    type: "basic";
                    username: string;
                    password: string;
                } | {
                    /** @constant */
                    type: "bearer";
                    token: string;
                }) | null;
                /** @default down */
                failed_is: components["schemas"]["FailedIs"];
                /** @default [] */
                ignored: string[];
                /**
                 * Format: int32
                 * @default 10
                 */
                max_age_minutes: number;
                /** @default true */
                verify_tls: boolean;
                /** @default any */
                ip_version: components["schemas"]["IpVersion"];
                /**
                 * Format: int32
                 * @default 10000
                 */
                timeout_ms: number;
                /** @default null */
                degraded_after_ms: number | null;
            };
        };
        NewSitemapCheck: {
            interval?: number | null;
            severity?: components["schemas"]["CheckSeverity"];
            /** @default true */
            is_enabled: boolean;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "sitemap";
            /** @default {} */
            settings: {
                /** @default null */
                path: string | null;
                /**
                 * Format: int32
                 * @default 10
                 */
                sample: number;
                /**
                 * Format: int32
                 * @default 10
                 */
                max_sitemaps: number;
                /** @default [] */
                ignored: components["schemas"]["SitemapFinding"][];
                /** @default true */
                verify_tls: boolean;
                /** @default any */
                ip_version: components["schemas"]["IpVersion"];
                /**
                 * Format: int32
                 * @default 30000
                 */
                timeout_ms: number;
            };
        };
        NewLighthouseCheck: {
            interval?: number | null;
            severity?: components["schemas"]["CheckSeverity"];
            /** @default true */
            is_enabled: boolean;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "lighthouse";
            /** @default {} */
            settings: {
                /** @default mobile */
                form_factor: components["schemas"]["FormFactor"];
                /**
                 * @default [
                 *       "performance",
                 *       "accessibility",
                 *       "best_practices",
                 *       "seo"
                 *     ]
                 */
                categories: components["schemas"]["LighthouseCategory"][];
                /** @default {} */
                min_scores: {
                    /** @default 50 */
                    performance: number | null;
                    /** @default null */
                    accessibility: number | null;
                    /** @default null */
                    best_practices: number | null;
                    /** @default null */
                    seo: number | null;
                };
                /** @default {} */
                max_metrics: {
                    /** @default null */
                    first_contentful_paint_ms: number | null;
                    /** @default null */
                    largest_contentful_paint_ms: number | null;
                    /** @default null */
                    total_blocking_time_ms: number | null;
                    /** @default null */
                    speed_index_ms: number | null;
                    /** @default null */
                    time_to_first_byte_ms: number | null;
                    /** @default null */
                    cumulative_layout_shift: number | null;
                };
                /**
                 * Format: int32
                 * @default 90
                 */
                audit_seconds: number;
            };
        };
        NewAgentCheck: {
            interval?: number | null;
            severity?: components["schemas"]["CheckSeverity"];
            /** @default true */
            is_enabled: boolean;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "agent";
            /** @default {} */
            settings: {
                /**
                 * @default [
                 *       {
                 *         "metric": "cpu",
                 *         "label": null,
                 *         "above": 95,
                 *         "for_minutes": 15,
                 *         "severity": "warning"
                 *       },
                 *       {
                 *         "metric": "memory",
                 *         "label": null,
                 *         "above": 95,
                 *         "for_minutes": 10,
                 *         "severity": "warning"
                 *       },
                 *       {
                 *         "metric": "disk",
                 *         "label": null,
                 *         "above": 90,
                 *         "for_minutes": 5,
                 *         "severity": "warning"
                 *       }
                 *     ]
                 */
                thresholds: {
                    metric: components["schemas"]["ServerMetric"];
                    above: number;
                    /**
                     * Format: int32
                     * @default 5
                     */
                    for_minutes: number;
                    /** @default warning */
                    severity: components["schemas"]["ThresholdSeverity"];
                    /** @default null */
                    label: string | null;
                }[];
                /** @default 10 */
                no_data_after_minutes: number | null;
            };
        };
        MonitorChanges: {
            name?: string;
            url?: string;
            tags?: string[];
            group?: string | null;
            notes?: string | null;
            is_enabled?: boolean;
            /** Format: int32 */
            check_interval?: number;
            /** Format: int32 */
            timeout?: number;
            regions?: string[];
            region_policy?: components["schemas"]["RegionPolicy"];
            /** Format: int32 */
            confirmations?: number;
            /** Format: int32 */
            recovery_confirmations?: number;
            depends_on?: string[];
            escalation_policy_id?: string | null;
            external_ref?: string | null;
            metadata?: {
                [key: string]: string | number | boolean | null;
            };
            slo?: components["schemas"]["Slo"] | null;
            type?: components["schemas"]["WatchedType"];
        };
        NewOnCallSchedule: {
            name: string;
            timezone: string;
            rotations?: components["schemas"]["NewOnCallRotation"][];
        };
        NewOnCallRotation: {
            name: string;
            /** Format: int32 */
            order?: number;
            users: string[];
            handoff: components["schemas"]["HandoffKind"];
            /** @default null */
            shift_minutes: number | null;
            first_handoff_at: string;
            /** @default [] */
            restrictions: components["schemas"]["OnCallRestriction"][];
            starts_at?: string | null;
            ends_at?: string | null;
        };
        OnCallRestriction: {
            days: components["schemas"]["Weekday"][];
            from: string;
            to: string;
        };
        OnCallScheduleChanges: {
            name?: string;
            timezone?: string;
            rotations?: components["schemas"]["OnCallRotationChange"][];
        };
        OnCallRotationChange: {
            /** Format: uuid */
            id?: string;
            name: string;
            /** Format: int32 */
            order?: number;
            users: string[];
            handoff: components["schemas"]["HandoffKind"];
            /** @default null */
            shift_minutes: number | null;
            first_handoff_at: string;
            /** @default [] */
            restrictions: components["schemas"]["OnCallRestriction"][];
            starts_at?: string | null;
            ends_at?: string | null;
        };
        NewOnCallOverride: {
            /** Format: uuid */
            user_id: string;
            /** @default null */
            replaces_user_id: string | null;
            /** Format: date-time */
            starts_at: string;
            /** Format: date-time */
            ends_at: string;
            /** @default null */
            reason: string | null;
        };
        NewOnCallSwap: {
            first: components["schemas"]["OnCallSwapSide"];
            second: components["schemas"]["OnCallSwapSide"];
            /** @default null */
            reason: string | null;
        };
        OnCallSwapSide: {
            /** Format: uuid */
            user_id: string;
            /** Format: date-time */
            starts_at: string;
            /** Format: date-time */
            ends_at: string;
        };
        PasskeyRegistration: {
            id: string;
            rawId: string;
            /** @constant */
            type: "public-key";
            authenticatorAttachment?: ("platform" | "cross-platform") | null;
            clientExtensionResults?: {
                [key: string]: unknown;
            };
            response: {
                clientDataJSON: string;
                attestationObject: string;
                /** @default [] */
                transports: string[];
                authenticatorData?: string;
                publicKey?: string | null;
                /** Format: int64 */
                publicKeyAlgorithm?: number;
            };
        };
        FeatureOverrideChanges: {
            monitors?: (number | null) | "__remove__";
            status_pages?: (number | null) | "__remove__";
            team_members?: (number | null) | "__remove__";
            pending_invitations?: (number | null) | "__remove__";
            api_keys?: (number | null) | "__remove__";
            subscribers?: (number | null) | "__remove__";
            maintenance_windows?: (number | null) | "__remove__";
            escalation_policies?: (number | null) | "__remove__";
            regions_per_monitor?: (number | null) | "__remove__";
            crawl_pages?: (number | null) | "__remove__";
            sms_credits?: (number | null) | "__remove__";
            mails_per_day?: (number | null) | "__remove__";
            agent_limit?: number | "__remove__";
            min_check_interval?: number | "__remove__";
            data_retention_days?: number | "__remove__";
            cron_heartbeats?: boolean | "__remove__";
            server_monitoring?: boolean | "__remove__";
            lighthouse_audits?: boolean | "__remove__";
            geo_audits?: boolean | "__remove__";
            site_crawls?: boolean | "__remove__";
            web_vitals?: boolean | "__remove__";
            custom_domains?: boolean | "__remove__";
            on_call_schedules?: boolean | "__remove__";
            white_label_branding?: boolean | "__remove__";
            custom_smtp?: boolean | "__remove__";
            sso?: boolean | "__remove__";
            api_access?: components["schemas"]["ApiAccess"] | "__remove__";
            notification_channels?: components["schemas"]["ChannelType"][] | "__remove__";
        };
        SmtpConfigChanges: {
            host?: string;
            /** @enum {number} */
            port?: 25 | 465 | 587 | 2525;
            /** @enum {string} */
            encryption?: "tls" | "ssl";
            username?: string | null;
            password?: string | null;
            from_address?: string | null;
            from_name?: string | null;
        };
        NewStatusPageTemplate: {
            name: string;
            phase: components["schemas"]["IncidentStatus"];
            /** @default null */
            title: string | null;
            body: string;
        };
        StatusPageTemplateChanges: {
            name?: string;
            phase?: components["schemas"]["IncidentStatus"];
            title?: string | null;
            body?: string;
        };
        NewStatusPage: {
            name: string;
            slug: string;
            /** @default  */
            description: string;
            /** @default draft */
            state: components["schemas"]["StatusPageState"];
            /** @default public */
            access: components["schemas"]["StatusPageAccess"];
            /** @default null */
            password: string | null;
            /** @default [] */
            allowed_email_domains: string[];
            /** @default [] */
            allowed_ips: string[];
            /** @default en */
            locale: components["schemas"]["Language"];
            /**
             * @default [
             *       "en"
             *     ]
             */
            locales: components["schemas"]["Language"][];
            /** @default UTC */
            timezone: string;
            /**
             * Format: int32
             * @default 90
             */
            history_days: number;
            /** @default true */
            show_uptime: boolean;
            /** @default false */
            show_response: boolean;
            /** @default true */
            show_values: boolean;
            /** @default duration */
            uptime_mode: components["schemas"]["UptimeMode"];
            /**
             * Format: int32
             * @default 0
             */
            min_incident_minutes: number;
            /** @default false */
            noindex: boolean;
            /** @default null */
            hide_powered_by: boolean | null;
            /** @default auto */
            theme: components["schemas"]["StatusPageTheme"];
            /** @default null */
            primary_color: string | null;
            /** @default null */
            logo_url: string | null;
            /** @default null */
            logo_url_dark: string | null;
            /** @default [] */
            header_links: components["schemas"]["StatusPageLink"][];
            /** @default [] */
            footer_links: components["schemas"]["StatusPageLink"][];
            /** @default {} */
            texts: {
                en?: components["schemas"]["StatusPageTexts"];
                de?: components["schemas"]["StatusPageTexts"];
            };
        };
        StatusPageLink: {
            label: string;
            /** Format: uri */
            url: string;
        };
        StatusPageTexts: {
            name?: string;
            description?: string;
            announcement?: string;
            footer?: string;
        };
        StatusPageChanges: {
            name?: string;
            slug?: string;
            description?: string;
            state?: components["schemas"]["StatusPageState"];
            access?: components["schemas"]["StatusPageAccess"];
            password?: string | null;
            allowed_email_domains?: string[];
            allowed_ips?: string[];
            locale?: components["schemas"]["Language"];
            locales?: components["schemas"]["Language"][];
            timezone?: string;
            /** Format: int32 */
            history_days?: number;
            show_uptime?: boolean;
            show_response?: boolean;
            show_values?: boolean;
            uptime_mode?: components["schemas"]["UptimeMode"];
            /** Format: int32 */
            min_incident_minutes?: number;
            noindex?: boolean;
            hide_powered_by?: boolean | null;
            theme?: components["schemas"]["StatusPageTheme"];
            primary_color?: string | null;
            logo_url?: string | null;
            logo_url_dark?: string | null;
            header_links?: components["schemas"]["StatusPageLink"][];
            footer_links?: components["schemas"]["StatusPageLink"][];
            texts?: {
                en?: components["schemas"]["StatusPageTexts"];
                de?: components["schemas"]["StatusPageTexts"];
            };
        };
        NewStatusPageComponent: {
            type: components["schemas"]["ComponentType"];
            /** @default null */
            monitor_id: string | null;
            /** @default null */
            monitor_group: string | null;
            /** @default null */
            static_status: components["schemas"]["SettableStatus"] | null;
            name: string;
            /** @default  */
            description: string;
            /** @default null */
            group_id: string | null;
            /** Format: int32 */
            position?: number;
            /** @default true */
            show_history: boolean;
            /** @default major_outage */
            status_when_down: components["schemas"]["DownStatus"];
        };
        StatusPageComponentPlace: {
            /** Format: uuid */
            id: string;
            group_id?: string | null;
        };
        StatusPageComponentChanges: {
            monitor_id?: string | null;
            monitor_group?: string | null;
            static_status?: components["schemas"]["SettableStatus"] | null;
            name?: string;
            description?: string;
            group_id?: string | null;
            /** Format: int32 */
            position?: number;
            show_history?: boolean;
            status_when_down?: components["schemas"]["DownStatus"];
        };
        NewStatusPageGroup: {
            name: string;
            /** Format: int32 */
            position?: number;
            /** @default false */
            is_open: boolean;
        };
        StatusPageGroupChanges: {
            name?: string;
            /** Format: int32 */
            position?: number;
            is_open?: boolean;
        };
        NewStatusPagePost: {
            /** @default null */
            incident_id: string | null;
            title: string;
            impact?: components["schemas"]["Impact"];
            counts_as_downtime?: boolean;
            components?: components["schemas"]["StatusPagePostComponent"][];
            /** Format: date-time */
            started_at?: string;
            /** Format: date-time */
            resolved_at?: string;
            /** @default investigating */
            phase: components["schemas"]["IncidentStatus"];
            body: string;
            /** @default true */
            notify_subscribers: boolean;
        };
        StatusPagePostComponent: {
            /** Format: uuid */
            component_id: string;
            status: components["schemas"]["SettableStatus"];
        };
        StatusPagePostChanges: {
            title?: string;
            impact?: components["schemas"]["Impact"];
            counts_as_downtime?: boolean;
            components?: components["schemas"]["StatusPagePostComponent"][];
            /** Format: date-time */
            started_at?: string;
            /** Format: date-time */
            resolved_at?: string;
        };
        NewStatusPageUpdate: {
            phase: components["schemas"]["IncidentStatus"];
            body: string;
            components?: components["schemas"]["StatusPagePostComponent"][];
            /** @default true */
            notify_subscribers: boolean;
        };
        NewMonitorTemplate: {
            name: string;
            monitors: components["schemas"]["TemplateMonitor"][];
            /** @default [] */
            variables: components["schemas"]["TemplateVariable"][];
        };
        TemplateMonitor: {
            name_template: string;
            /** @default null */
            url_template: string | null;
            /** @default website */
            type: components["schemas"]["MonitorType"];
            /** @default null */
            check_interval: number | null;
            /** @default [] */
            tags: string[];
            /** @default null */
            slo: components["schemas"]["Slo"] | null;
            /** @default [] */
            secret_hosts: string[];
            checks?: components["schemas"]["NewCheck"][];
        };
        TemplateVariable: {
            name: string;
            /** @default true */
            required: boolean;
            /** @default null */
            description: string | null;
            /** @default null */
            default: string | null;
        };
        MonitorTemplateChanges: {
            name?: string;
            monitors?: components["schemas"]["TemplateMonitor"][];
            variables?: components["schemas"]["TemplateVariable"][];
        };
        NewProvisioningProfile: {
            name: string;
            /** @default free */
            plan: components["schemas"]["PlanName"];
            /** @default null */
            trial_days: number | null;
            /** @default {} */
            feature_overrides: components["schemas"]["FeatureOverrides"];
            branding?: components["schemas"]["BrandingChanges"];
            /** @default null */
            monitor_template_id: string | null;
        };
        FeatureOverrides: {
            monitors?: number | null;
            status_pages?: number | null;
            team_members?: number | null;
            pending_invitations?: number | null;
            api_keys?: number | null;
            subscribers?: number | null;
            maintenance_windows?: number | null;
            escalation_policies?: number | null;
            regions_per_monitor?: number | null;
            crawl_pages?: number | null;
            sms_credits?: number | null;
            mails_per_day?: number | null;
            /** Format: int32 */
            agent_limit?: number;
            /** Format: int32 */
            min_check_interval?: number;
            /** Format: int32 */
            data_retention_days?: number;
            cron_heartbeats?: boolean;
            server_monitoring?: boolean;
            lighthouse_audits?: boolean;
            geo_audits?: boolean;
            site_crawls?: boolean;
            web_vitals?: boolean;
            custom_domains?: boolean;
            on_call_schedules?: boolean;
            white_label_branding?: boolean;
            custom_smtp?: boolean;
            sso?: boolean;
            api_access?: components["schemas"]["ApiAccess"];
            notification_channels?: components["schemas"]["ChannelType"][];
        };
        ProvisioningProfileChanges: {
            name?: string;
            plan?: components["schemas"]["PlanName"];
            trial_days?: number | null;
            feature_overrides?: components["schemas"]["FeatureOverrides"];
            branding?: components["schemas"]["BrandingChanges"];
            monitor_template_id?: string | null;
        };
        WebVital: {
            metric: components["schemas"]["VitalMetric"];
            value: number;
            /** Format: starts_with */
            path: string;
            /**
             * @default unknown
             * @enum {string}
             */
            connection: "slow-2g" | "2g" | "3g" | "4g" | "unknown";
        };
        WebhookManagedTenant: {
            /** Format: uuid */
            managed_tenant_id: string;
            name: string;
            label: string | null;
            public_id: string;
            external_ref: string | null;
            metadata: unknown;
        };
        Phases: {
            dns: number | null;
            connect: number | null;
            tls: number | null;
            first_byte: number | null;
            total: number | null;
        };
        NewWebhookChannel: {
            name: string;
            /** @default true */
            is_enabled: boolean;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "webhook";
            config: {
                url: string;
                secret?: string | null;
            };
        };
        NewEmailChannel: {
            name: string;
            /** @default true */
            is_enabled: boolean;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "email";
            config: {
                recipients: string[];
                language?: components["schemas"]["Language"] | null;
                timezone?: string | null;
            };
        };
        NewSlackChannel: {
            name: string;
            /** @default true */
            is_enabled: boolean;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "slack";
            config: {
                webhook_url: string;
                language?: components["schemas"]["Language"] | null;
                timezone?: string | null;
            };
        };
        NewDiscordChannel: {
            name: string;
            /** @default true */
            is_enabled: boolean;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "discord";
            config: {
                webhook_url: string;
                language?: components["schemas"]["Language"] | null;
                timezone?: string | null;
            };
        };
        NewMicrosoftTeamsChannel: {
            name: string;
            /** @default true */
            is_enabled: boolean;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "microsoft_teams";
            config: {
                webhook_url: string;
                language?: components["schemas"]["Language"] | null;
                timezone?: string | null;
            };
        };
        NewPagerdutyChannel: {
            name: string;
            /** @default true */
            is_enabled: boolean;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "pagerduty";
            config: {
                routing_key: string;
                language?: components["schemas"]["Language"] | null;
                timezone?: string | null;
            };
        };
        NewTelegramChannel: {
            name: string;
            /** @default true */
            is_enabled: boolean;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "telegram";
            config: {
                bot_token: string;
                chat_id: string | number;
                language?: components["schemas"]["Language"] | null;
                timezone?: string | null;
            };
        };
        NewCustomChannel: {
            name: string;
            /** @default true */
            is_enabled: boolean;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "custom";
            config: {
                preset?: ("ntfy" | "pushover" | "mattermost" | "google_chat" | "opsgenie" | "twilio_sms" | "sms_gateway") | null;
                /**
                 * @default POST
                 * @enum {string}
                 */
                method: "POST" | "PUT" | "PATCH" | "GET";
                url: string;
                /** @default {} */
                headers: {
                    [key: string]: string;
                };
                /** @default application/json */
                content_type: string;
                /**
                 * @default {
                 *       "event": {{ event | json }},
                 *       "phase": {{ phase | json }},
                 *       "alert_id": {{ alert_id | json }},
                 *       "title": {{ title | json }},
                 *       "text": {{ text | json }},
                 *       "url": {{ details_url | json }}
                 *     }
                 */
                body_template: string;
                /** @default {} */
                fields: {
                    [key: string]: string;
                };
                language?: components["schemas"]["Language"] | null;
                timezone?: string | null;
            };
        };
        WebhookChannel: {
            /** Format: uuid */
            id: string;
            name: string;
            is_enabled: boolean;
            held_by_plan: boolean;
            is_failing: boolean;
            failing_since: string | null;
            recipients: {
                email: string;
                state: components["schemas"]["RecipientState"];
            }[] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "webhook";
            config: {
                url?: string;
                secret?: "********" | "" | null;
            };
        };
        EmailChannel: {
            /** Format: uuid */
            id: string;
            name: string;
            is_enabled: boolean;
            held_by_plan: boolean;
            is_failing: boolean;
            failing_since: string | null;
            recipients: {
                email: string;
                state: components["schemas"]["RecipientState"];
            }[] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "email";
            config: {
                recipients?: string[];
                language?: components["schemas"]["Language"] | null;
                timezone?: string | null;
            };
        };
        SlackChannel: {
            /** Format: uuid */
            id: string;
            name: string;
            is_enabled: boolean;
            held_by_plan: boolean;
            is_failing: boolean;
            failing_since: string | null;
            recipients: {
                email: string;
                state: components["schemas"]["RecipientState"];
            }[] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "slack";
            config: {
                webhook_url?: "********" | "" | null;
                language?: components["schemas"]["Language"] | null;
                timezone?: string | null;
            };
        };
        DiscordChannel: {
            /** Format: uuid */
            id: string;
            name: string;
            is_enabled: boolean;
            held_by_plan: boolean;
            is_failing: boolean;
            failing_since: string | null;
            recipients: {
                email: string;
                state: components["schemas"]["RecipientState"];
            }[] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "discord";
            config: {
                webhook_url?: "********" | "" | null;
                language?: components["schemas"]["Language"] | null;
                timezone?: string | null;
            };
        };
        MicrosoftTeamsChannel: {
            /** Format: uuid */
            id: string;
            name: string;
            is_enabled: boolean;
            held_by_plan: boolean;
            is_failing: boolean;
            failing_since: string | null;
            recipients: {
                email: string;
                state: components["schemas"]["RecipientState"];
            }[] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "microsoft_teams";
            config: {
                webhook_url?: "********" | "" | null;
                language?: components["schemas"]["Language"] | null;
                timezone?: string | null;
            };
        };
        PagerdutyChannel: {
            /** Format: uuid */
            id: string;
            name: string;
            is_enabled: boolean;
            held_by_plan: boolean;
            is_failing: boolean;
            failing_since: string | null;
            recipients: {
                email: string;
                state: components["schemas"]["RecipientState"];
            }[] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "pagerduty";
            config: {
                routing_key?: "********" | "" | null;
                language?: components["schemas"]["Language"] | null;
                timezone?: string | null;
            };
        };
        CustomChannel: {
            /** Format: uuid */
            id: string;
            name: string;
            is_enabled: boolean;
            held_by_plan: boolean;
            is_failing: boolean;
            failing_since: string | null;
            recipients: {
                email: string;
                state: components["schemas"]["RecipientState"];
            }[] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "custom";
            config: {
                preset?: ("ntfy" | "pushover" | "mattermost" | "google_chat" | "opsgenie" | "twilio_sms" | "sms_gateway") | null;
                /**
                 * @default POST
                 * @enum {string}
                 */
                method: "POST" | "PUT" | "PATCH" | "GET";
                url?: "********" | "" | null;
                headers?: {
                    [key: string]: "********";
                };
                /** @default application/json */
                content_type: string;
                /**
                 * @default {
                 *       "event": {{ event | json }},
                 *       "phase": {{ phase | json }},
                 *       "alert_id": {{ alert_id | json }},
                 *       "title": {{ title | json }},
                 *       "text": {{ text | json }},
                 *       "url": {{ details_url | json }}
                 *     }
                 */
                body_template: string;
                fields?: {
                    [key: string]: "********";
                };
                language?: components["schemas"]["Language"] | null;
                timezone?: string | null;
            };
        };
        RegionProof: {
            phases: components["schemas"]["Phases"];
            error: {
                code: string;
                message: string;
            } | null;
            http_status: number | null;
            excerpt: string | null;
            /** Format: date-time */
            at: string;
        };
        Error: {
            message: string;
            errors?: {
                [key: string]: string[];
            };
            code?: string;
            request_id?: string;
            quota?: string;
            plan?: string;
            /** Format: int64 */
            current?: number;
            /** Format: int64 */
            limit?: number;
        };
        ServerAck: {
            /** Format: uuid */
            batch: string;
            /** Format: int64 */
            accepted: number;
            /** Format: int64 */
            ignored: number;
            now_ms: number;
        };
        ExportMetricsServiceResponse: {
            partialSuccess?: {
                /** Format: int64 */
                rejectedDataPoints: number;
                errorMessage: string;
            };
        };
        PingAnswer: {
            state: components["schemas"]["PingState"];
            /** Format: date-time */
            received_at: string;
        };
        ScimResourceTypeList: {
            schemas: "urn:ietf:params:scim:api:messages:2.0:ListResponse"[];
            /** Format: int64 */
            totalResults: number;
            /** Format: int64 */
            startIndex: number;
            /** Format: int64 */
            itemsPerPage: number;
            Resources: components["schemas"]["ScimResourceType"][];
        };
        ScimResourceType: {
            schemas: string[];
            id: string;
            name: string;
            endpoint: string;
            description: string;
            schema: string;
            meta: {
                /** @enum {string} */
                resourceType: "Schema" | "ResourceType";
                location: string;
            };
        };
        ScimError: {
            schemas: "urn:ietf:params:scim:api:messages:2.0:Error"[];
            status: string;
            scimType?: string;
            detail: string;
        };
        ScimSchemaList: {
            schemas: "urn:ietf:params:scim:api:messages:2.0:ListResponse"[];
            /** Format: int64 */
            totalResults: number;
            /** Format: int64 */
            startIndex: number;
            /** Format: int64 */
            itemsPerPage: number;
            Resources: components["schemas"]["ScimSchema"][];
        };
        ScimSchema: {
            schemas: string[];
            id: string;
            name: string;
            description: string;
            attributes: {
                name: string;
                /** @enum {string} */
                type: "string" | "boolean" | "complex";
                multiValued: boolean;
                description: string;
                required: boolean;
                caseExact?: boolean;
                canonicalValues?: string[];
                /** @enum {string} */
                mutability: "readOnly" | "readWrite" | "immutable";
                /** @enum {string} */
                returned: "always" | "default";
                /** @enum {string} */
                uniqueness?: "none" | "server";
                subAttributes?: {
                    name: string;
                    /** @enum {string} */
                    type: "string" | "boolean" | "complex";
                    multiValued: boolean;
                    description: string;
                    required: boolean;
                    caseExact?: boolean;
                    canonicalValues?: string[];
                    /** @enum {string} */
                    mutability: "readOnly" | "readWrite" | "immutable";
                    /** @enum {string} */
                    returned: "always" | "default";
                    /** @enum {string} */
                    uniqueness?: "none" | "server";
                }[];
            }[];
            meta: {
                /** @enum {string} */
                resourceType: "Schema" | "ResourceType";
                location: string;
            };
        };
        ScimServiceProviderConfig: {
            schemas: string[];
            documentationUri: string;
            patch: {
                supported: boolean;
            };
            bulk: {
                supported: boolean;
                /** Format: int64 */
                maxOperations: number;
                /** Format: int64 */
                maxPayloadSize: number;
            };
            filter: {
                supported: boolean;
                /** Format: int64 */
                maxResults: number;
            };
            changePassword: {
                supported: boolean;
            };
            sort: {
                supported: boolean;
            };
            etag: {
                supported: boolean;
            };
            authenticationSchemes: {
                type: string;
                name: string;
                description: string;
                primary: boolean;
            }[];
            meta: {
                /** @constant */
                resourceType: "ServiceProviderConfig";
                location: string;
            };
        };
        ScimUserList: {
            schemas: "urn:ietf:params:scim:api:messages:2.0:ListResponse"[];
            /** Format: int64 */
            totalResults: number;
            /** Format: int64 */
            startIndex: number;
            /** Format: int64 */
            itemsPerPage: number;
            Resources: components["schemas"]["ScimUser"][];
        };
        ScimUser: {
            schemas: "urn:ietf:params:scim:schemas:core:2.0:User"[];
            /** Format: uuid */
            id: string;
            externalId?: string;
            userName: string;
            name: {
                formatted: string;
                givenName?: string;
                familyName?: string;
            };
            displayName: string;
            active: boolean;
            emails: {
                value: string;
                /** @constant */
                type: "work";
                /** @constant */
                primary: true;
            }[];
            roles: {
                value: string;
                /** @constant */
                primary: true;
            }[];
            meta: {
                /** @constant */
                resourceType: "User";
                /** Format: date-time */
                created: string;
                /** Format: date-time */
                lastModified: string;
                location: string;
                version: string;
            };
        };
        AgentMonitor: {
            /** Format: uuid */
            id: string;
            name: string;
            tags: string[];
            group: string | null;
            notes: string | null;
            is_enabled: boolean;
            held_by_plan: boolean;
            status: components["schemas"]["MonitorStatus"] | null;
            status_reason: string | null;
            status_changed_at: string | null;
            depends_on: string[];
            escalation_policy_id: string | null;
            external_ref: string | null;
            metadata: {
                [key: string]: unknown;
            };
            slo: components["schemas"]["SloOutput"] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * @default [
             *       {
             *         "metric": "cpu",
             *         "label": null,
             *         "above": 95,
             *         "for_minutes": 15,
             *         "severity": "warning"
             *       },
             *       {
             *         "metric": "memory",
             *         "label": null,
             *         "above": 95,
             *         "for_minutes": 10,
             *         "severity": "warning"
             *       },
             *       {
             *         "metric": "disk",
             *         "label": null,
             *         "above": 90,
             *         "for_minutes": 5,
             *         "severity": "warning"
             *       }
             *     ]
             */
            thresholds: components["schemas"]["ServerThresholdOutput"][];
            /** @default 10 */
            no_data_after_minutes: number | null;
            severity: components["schemas"]["Severity"];
            host: components["schemas"]["ServerHost"] | null;
            last_heard_at: string | null;
            token: {
                masked: string;
                /** Format: date-time */
                created_at: string;
                old_works_until: string | null;
            } | null;
        };
        ServerHost: {
            name: string;
            os: string;
            kernel: string;
            arch: string;
            /** Format: int64 */
            cores: number;
            /** Format: int64 */
            memory_bytes: number;
            agent: string;
        };
        Links: {
            first: string | null;
            last: string | null;
            prev: string | null;
            next: string | null;
        };
        OffsetMeta: {
            /** Format: int64 */
            current_page: number;
            /** Format: int64 */
            last_page: number;
            /** Format: int64 */
            per_page: number;
            /** Format: int64 */
            total: number;
        };
        AgentInstall: {
            command: string;
            environment: string;
            systemd_unit: string;
            otlp_endpoint: string;
            remote_write_url: string;
        };
        ServerSeries: {
            metric: components["schemas"]["ServerMetric"];
            unit: string;
            label: string | null;
            points: {
                /** Format: date-time */
                at: string;
                mean: number;
                highest: number;
            }[];
        };
        Agent: {
            /** Format: uuid */
            id: string;
            region: string;
            name: string;
            /** @enum {string} */
            state: "connected" | "silent" | "never_seen" | "revoked";
            /** Format: date-time */
            enrolled_at: string;
            last_seen_at: string | null;
            revoked_at: string | null;
        };
        ApiToken: {
            /** Format: uuid */
            id: string;
            name: string;
            masked_token: string;
            scopes: components["schemas"]["TenantScope"][];
            allowed_ips: string[] | null;
            is_active: boolean;
            last_used_at: string | null;
            last_used_ip: string | null;
            expires_at: string | null;
            created_by: string | null;
            rotated_from: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        AuditEntry: {
            /** Format: uuid */
            id: string;
            action: string;
            entity_type: string;
            entity_id: string | null;
            user_id: string | null;
            user_name: string | null;
            impersonator_id: string | null;
            token_id: string | null;
            changes: {
                [key: string]: unknown;
            } | null;
            ip: string | null;
            request_id: string | null;
            /** Format: date-time */
            created_at: string;
        };
        User: {
            /** Format: uuid */
            id: string;
            name: string;
            /** Format: email */
            email: string;
            /** Format: uuid */
            tenant_id: string;
            role: string;
            language: string;
            /** Format: date-time */
            mfa_due_at: string | null;
            managed_teams?: {
                /** Format: uuid */
                id: string;
                /** Format: uuid */
                tenant_id: string;
                name: string;
                slug: string;
                label: string | null;
            }[];
        };
        PasskeySignInOptions: {
            challenge: string;
            rpId: string;
            /** Format: int64 */
            timeout: number;
            /** @constant */
            userVerification: "required";
        };
        ResellerToken: {
            /** Format: uuid */
            id: string;
            name: string;
            masked_token: string;
            scopes: components["schemas"]["ResellerScope"][];
            /** @constant */
            purpose: "reseller";
            is_active: boolean;
            last_used_at: string | null;
            expires_at: string | null;
            created_by: string | null;
            rotated_from: string | null;
            /** Format: date-time */
            created_at: string;
        };
        ProofChallenge: {
            parameters: {
                /** @constant */
                algorithm: "PBKDF2/SHA-256";
                nonce: string;
                salt: string;
                /** Format: int64 */
                cost: number;
                /** Format: int64 */
                keyLength: number;
                keyPrefix: string;
                keySignature?: string;
                /** Format: int64 */
                expiresAt: number;
                data: {
                    purpose: string;
                };
            };
            signature: string;
        };
        Billing: {
            plan: string;
            /** @enum {string} */
            status: "none" | "trialing" | "active" | "past_due" | "grace" | "canceled";
            /** @enum {string} */
            provider: "manual" | "stripe";
            interval: components["schemas"]["BillingInterval"] | null;
            currency: string | null;
            /** Format: int64 */
            seats: number;
            current_period_end: string | null;
            grace_ends_at: string | null;
            pending_plan: components["schemas"]["PlanName"] | null;
            pending_interval: components["schemas"]["BillingInterval"] | null;
            pending_at: string | null;
            payer: components["schemas"]["Payer"];
            prices: components["schemas"]["PlanPrice"][];
        };
        Payer: {
            /** @enum {string} */
            type: "team" | "reseller";
            name: string | null;
            email: string | null;
            address: string | null;
            country: string | null;
        };
        PlanPrice: {
            plan: components["schemas"]["PlanName"];
            interval: components["schemas"]["BillingInterval"];
            currency: string;
            /** Format: int64 */
            amount: number;
            per_seat: boolean;
            tax_percent: number;
        };
        PaymentPage: {
            url: string;
        };
        Invoice: {
            /** Format: uuid */
            id: string;
            number: string | null;
            /** @enum {string} */
            status: "draft" | "open" | "paid" | "void" | "uncollectible";
            reason: string;
            plan: string | null;
            interval: string | null;
            currency: string;
            /** Format: int64 */
            subtotal: number;
            /** Format: int64 */
            tax: number;
            /** Format: int64 */
            total: number;
            /** Format: int64 */
            amount_paid: number;
            lines: {
                description: string;
                /** Format: int64 */
                quantity: number;
                /** Format: int64 */
                amount: number;
                /** Format: date-time */
                period_start: string;
                /** Format: date-time */
                period_end: string;
            }[];
            payer: {
                name: string | null;
                email: string | null;
                address: string | null;
                country: string | null;
            };
            /** Format: date-time */
            period_start: string;
            /** Format: date-time */
            period_end: string;
            issued_at: string | null;
            due_at: string | null;
            paid_at: string | null;
            hosted_url: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        PlanPreview: {
            plan: components["schemas"]["PlanName"];
            interval: components["schemas"]["BillingInterval"];
            price: components["schemas"]["PlanPrice"] | null;
            over_limit: {
                feature: string;
                /** Format: int64 */
                current: number;
                /** Format: int64 */
                limit: number;
            }[];
            monitors_on_hold: {
                /** Format: uuid */
                id: string;
                name: string;
            }[];
            /** Format: int64 */
            monitors_on_hold_count: number;
        };
        Branding: {
            brand_name: string | null;
            alert_prefix: string | null;
            logo_url: string | null;
            logo_url_dark: string | null;
            symbol_url: string | null;
            favicon_url: string | null;
            footer_url: string | null;
            privacy_url: string | null;
            imprint_url: string | null;
            upgrade_url: string | null;
            support_url: string | null;
            primary_color: string | null;
            secondary_color: string | null;
            footer_text: string | null;
            hide_powered_by: boolean | null;
            notification_from_name: string | null;
            upsell_mode: components["schemas"]["UpsellMode"] | null;
            upsell_cta: components["schemas"]["UpsellCta"] | null;
            plan_labels: {
                [key: string]: string;
            } | null;
            upsell_offers: {
                [key: string]: {
                    label: string;
                    url: string | null;
                };
            } | null;
            upsell_threshold: number | null;
            effective: components["schemas"]["EffectiveBranding"];
        };
        EffectiveBranding: {
            brand_name: string;
            alert_prefix: string | null;
            logo_url: string | null;
            logo_url_dark: string | null;
            symbol_url: string | null;
            favicon_url: string | null;
            footer_url: string | null;
            privacy_url: string | null;
            imprint_url: string | null;
            upgrade_url: string | null;
            support_url: string | null;
            primary_color: string;
            secondary_color: string;
            footer_text: string | null;
            hide_powered_by: boolean;
            notification_from_name: string | null;
            upsell_mode: components["schemas"]["UpsellMode"];
            upsell_cta: components["schemas"]["UpsellCta"];
            plan_labels: {
                [key: string]: string;
            };
            upsell_offers: {
                [key: string]: {
                    label: string;
                    url: string | null;
                };
            };
            upsell_threshold: number;
            symbol_letter: string;
        };
        CaughtMail: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            tenant_id: string;
            type: string | null;
            from_name: string | null;
            recipients: string[];
            subject: string;
            /** Format: date-time */
            created_at: string;
        };
        WholeCaughtMail: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            tenant_id: string;
            type: string | null;
            from_name: string | null;
            recipients: string[];
            subject: string;
            /** Format: date-time */
            created_at: string;
            text: string;
            html: string | null;
        };
        SeriesPoint: {
            /** Format: date-time */
            at: string;
            /** Format: int64 */
            total_checks: number;
            /** Format: int64 */
            succeeded: number;
            /** Format: int64 */
            warnings: number;
            /** Format: int64 */
            failed: number;
            avg_response_ms: number | null;
            min_response_ms: number | null;
            max_response_ms: number | null;
        };
        SeriesMeta: {
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            bucket: components["schemas"]["Resolution"];
        };
        Check: components["schemas"]["UptimeCheck"] | components["schemas"]["SslCheck"] | components["schemas"]["DnsCheck"] | components["schemas"]["TcpCheck"] | components["schemas"]["PingCheck"] | components["schemas"]["DomainExpiryCheck"] | components["schemas"]["DnsblCheck"] | components["schemas"]["SecurityHeadersCheck"] | components["schemas"]["RedirectChainCheck"] | components["schemas"]["MixedContentCheck"] | components["schemas"]["BrokenLinksCheck"] | components["schemas"]["CrawlCheck"] | components["schemas"]["CronCheck"] | components["schemas"]["RobotsTxtCheck"] | components["schemas"]["ApplicationHealthCheck"] | components["schemas"]["SitemapCheck"] | components["schemas"]["LighthouseCheck"] | components["schemas"]["AgentCheck"];
        UptimeCheck: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            monitor_id: string;
            is_enabled: boolean;
            interval: number | null;
            /** Format: int64 */
            effective_interval: number;
            severity: components["schemas"]["CheckSeverity"];
            status: components["schemas"]["CheckStatus"] | null;
            status_since: string | null;
            status_reason: string | null;
            coverage: components["schemas"]["Coverage"];
            failing_regions: string[];
            latest_result: components["schemas"]["RunResult"];
            latest_run_at: string | null;
            latest_summary: string | null;
            /** Format: int64 */
            consecutive_failures: number;
            region_results: components["schemas"]["RegionResult"][];
            snoozed_until: string | null;
            snoozed_by: string | null;
            snooze_reason: string | null;
            next_check_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "uptime";
            settings: {
                /**
                 * @default GET
                 * @enum {string}
                 */
                method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
                /** @default {} */
                headers: {
                    [key: string]: string;
                };
                /** @default null */
                body: string | null;
                /**
                 * @default [
                 *       "200-299"
                 *     ]
                 */
                expected_status: (number | string)[];
                /**
                 * @default [
                 *       "429",
                 *       "503"
                 *     ]
                 */
                warning_status: (number | string)[];
                /** @default null */
                keyword_present: string | null;
                /** @default null */
                keyword_absent: string | null;
                /** @default [] */
                assertions: {
                    /** @enum {string} */
                    source: "status" | "header" | "json" | "time" | "body";
                    /** @default  */
                    property: string;
                    /** @enum {string} */
                    comparison: "equals" | "not_equals" | "contains" | "not_contains" | "greater_than" | "less_than" | "is_empty" | "not_empty";
                    /** @default  */
                    target: string | number | boolean;
                }[];
                /** @default true */
                follow_redirects: boolean;
                /**
                 * Format: int32
                 * @default 5
                 */
                max_redirects: number;
                /** @default false */
                allow_downgrade: boolean;
                /** @default true */
                verify_tls: boolean;
                /** @default any */
                ip_version: components["schemas"]["IpVersion"];
                /** @default null */
                auth: ({
                    /** @constant */
                    type: "basic";
                    username: string;
                    password: "********" | "";
                } | {
                    /** @constant */
                    type: "bearer";
                    token: "********" | "";
                }) | null;
                /**
                 * Format: int32
                 * @default 10000
                 */
                timeout_ms: number;
                /** @default null */
                degraded_after_ms: number | null;
            };
        };
        RegionResult: {
            region: string;
            result: components["schemas"]["RunResult"];
            /** Format: date-time */
            at: string;
            response_ms: number | null;
            error_code: string | null;
            summary: string | null;
        };
        SslCheck: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            monitor_id: string;
            is_enabled: boolean;
            interval: number | null;
            /** Format: int64 */
            effective_interval: number;
            severity: components["schemas"]["CheckSeverity"];
            status: components["schemas"]["CheckStatus"] | null;
            status_since: string | null;
            status_reason: string | null;
            coverage: components["schemas"]["Coverage"];
            failing_regions: string[];
            latest_result: components["schemas"]["RunResult"];
            latest_run_at: string | null;
            latest_summary: string | null;
            /** Format: int64 */
            consecutive_failures: number;
            region_results: components["schemas"]["RegionResult"][];
            snoozed_until: string | null;
            snoozed_by: string | null;
            snooze_reason: string | null;
            next_check_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "ssl";
            settings: {
                /** @default null */
                port: number | null;
                /**
                 * @default [
                 *       30,
                 *       14,
                 *       7,
                 *       3,
                 *       1
                 *     ]
                 */
                warn_days: number[];
                /** @default any */
                ip_version: components["schemas"]["IpVersion"];
                /**
                 * Format: int32
                 * @default 10000
                 */
                timeout_ms: number;
            };
        };
        DnsCheck: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            monitor_id: string;
            is_enabled: boolean;
            interval: number | null;
            /** Format: int64 */
            effective_interval: number;
            severity: components["schemas"]["CheckSeverity"];
            status: components["schemas"]["CheckStatus"] | null;
            status_since: string | null;
            status_reason: string | null;
            coverage: components["schemas"]["Coverage"];
            failing_regions: string[];
            latest_result: components["schemas"]["RunResult"];
            latest_run_at: string | null;
            latest_summary: string | null;
            /** Format: int64 */
            consecutive_failures: number;
            region_results: components["schemas"]["RegionResult"][];
            snoozed_until: string | null;
            snoozed_by: string | null;
            snooze_reason: string | null;
            next_check_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "dns";
            settings: {
                /** @default null */
                name: string | null;
                /**
                 * @default [
                 *       "A",
                 *       "AAAA"
                 *     ]
                 */
                record_types: components["schemas"]["DnsRecordType"][];
                /** @default [] */
                resolvers: string[];
                /** @default {} */
                expected: {
                    [key: string]: string[];
                };
                /** @default false */
                exact: boolean;
                /** @default true */
                detect_changes: boolean;
                /**
                 * Format: int32
                 * @default 10000
                 */
                timeout_ms: number;
                /** @default null */
                degraded_after_ms: number | null;
            };
        };
        TcpCheck: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            monitor_id: string;
            is_enabled: boolean;
            interval: number | null;
            /** Format: int64 */
            effective_interval: number;
            severity: components["schemas"]["CheckSeverity"];
            status: components["schemas"]["CheckStatus"] | null;
            status_since: string | null;
            status_reason: string | null;
            coverage: components["schemas"]["Coverage"];
            failing_regions: string[];
            latest_result: components["schemas"]["RunResult"];
            latest_run_at: string | null;
            latest_summary: string | null;
            /** Format: int64 */
            consecutive_failures: number;
            region_results: components["schemas"]["RegionResult"][];
            snoozed_until: string | null;
            snoozed_by: string | null;
            snooze_reason: string | null;
            next_check_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tcp";
            settings: {
                /** Format: int32 */
                port?: number;
                /** @default null */
                send: string | null;
                /** @default null */
                expect: string | null;
                /** @default any */
                ip_version: components["schemas"]["IpVersion"];
                /**
                 * Format: int32
                 * @default 10000
                 */
                timeout_ms: number;
                /** @default null */
                degraded_after_ms: number | null;
            };
        };
        PingCheck: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            monitor_id: string;
            is_enabled: boolean;
            interval: number | null;
            /** Format: int64 */
            effective_interval: number;
            severity: components["schemas"]["CheckSeverity"];
            status: components["schemas"]["CheckStatus"] | null;
            status_since: string | null;
            status_reason: string | null;
            coverage: components["schemas"]["Coverage"];
            failing_regions: string[];
            latest_result: components["schemas"]["RunResult"];
            latest_run_at: string | null;
            latest_summary: string | null;
            /** Format: int64 */
            consecutive_failures: number;
            region_results: components["schemas"]["RegionResult"][];
            snoozed_until: string | null;
            snoozed_by: string | null;
            snooze_reason: string | null;
            next_check_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "ping";
            settings: {
                /**
                 * Format: int32
                 * @default 5
                 */
                packets: number;
                /**
                 * Format: int32
                 * @default 40
                 */
                warn_loss_percent: number;
                /**
                 * Format: int32
                 * @default 100
                 */
                down_loss_percent: number;
                /** @default any */
                ip_version: components["schemas"]["IpVersion"];
                /**
                 * Format: int32
                 * @default 10000
                 */
                timeout_ms: number;
                /** @default null */
                degraded_after_ms: number | null;
            };
        };
        DomainExpiryCheck: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            monitor_id: string;
            is_enabled: boolean;
            interval: number | null;
            /** Format: int64 */
            effective_interval: number;
            severity: components["schemas"]["CheckSeverity"];
            status: components["schemas"]["CheckStatus"] | null;
            status_since: string | null;
            status_reason: string | null;
            coverage: components["schemas"]["Coverage"];
            failing_regions: string[];
            latest_result: components["schemas"]["RunResult"];
            latest_run_at: string | null;
            latest_summary: string | null;
            /** Format: int64 */
            consecutive_failures: number;
            region_results: components["schemas"]["RegionResult"][];
            snoozed_until: string | null;
            snoozed_by: string | null;
            snooze_reason: string | null;
            next_check_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "domain_expiry";
            settings: {
                /**
                 * @default [
                 *       60,
                 *       30,
                 *       14,
                 *       7,
                 *       1
                 *     ]
                 */
                warn_days: number[];
                /**
                 * Format: int32
                 * @default 10000
                 */
                timeout_ms: number;
            };
        };
        DnsblCheck: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            monitor_id: string;
            is_enabled: boolean;
            interval: number | null;
            /** Format: int64 */
            effective_interval: number;
            severity: components["schemas"]["CheckSeverity"];
            status: components["schemas"]["CheckStatus"] | null;
            status_since: string | null;
            status_reason: string | null;
            coverage: components["schemas"]["Coverage"];
            failing_regions: string[];
            latest_result: components["schemas"]["RunResult"];
            latest_run_at: string | null;
            latest_summary: string | null;
            /** Format: int64 */
            consecutive_failures: number;
            region_results: components["schemas"]["RegionResult"][];
            snoozed_until: string | null;
            snoozed_by: string | null;
            snooze_reason: string | null;
            next_check_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "dnsbl";
            settings: {
                /**
                 * @default [
                 *       "spamhaus_zen",
                 *       "spamhaus_dbl",
                 *       "spamcop",
                 *       "barracuda",
                 *       "psbl",
                 *       "uceprotect_1",
                 *       "mailspike",
                 *       "dronebl",
                 *       "blocklist_de",
                 *       "s5h",
                 *       "surbl",
                 *       "uribl"
                 *     ]
                 */
                lists: components["schemas"]["BlockList"][];
                /** @default false */
                count_policy: boolean;
                /** @default any */
                ip_version: components["schemas"]["IpVersion"];
                /**
                 * Format: int32
                 * @default 10000
                 */
                timeout_ms: number;
            };
        };
        SecurityHeadersCheck: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            monitor_id: string;
            is_enabled: boolean;
            interval: number | null;
            /** Format: int64 */
            effective_interval: number;
            severity: components["schemas"]["CheckSeverity"];
            status: components["schemas"]["CheckStatus"] | null;
            status_since: string | null;
            status_reason: string | null;
            coverage: components["schemas"]["Coverage"];
            failing_regions: string[];
            latest_result: components["schemas"]["RunResult"];
            latest_run_at: string | null;
            latest_summary: string | null;
            /** Format: int64 */
            consecutive_failures: number;
            region_results: components["schemas"]["RegionResult"][];
            snoozed_until: string | null;
            snoozed_by: string | null;
            snooze_reason: string | null;
            next_check_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "security_headers";
            settings: {
                /** @default null */
                min_grade: components["schemas"]["HeaderGrade"] | null;
                /** @default [] */
                required: string[];
                /** @default true */
                detect_drops: boolean;
                /** @default any */
                ip_version: components["schemas"]["IpVersion"];
                /**
                 * Format: int32
                 * @default 10000
                 */
                timeout_ms: number;
            };
        };
        RedirectChainCheck: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            monitor_id: string;
            is_enabled: boolean;
            interval: number | null;
            /** Format: int64 */
            effective_interval: number;
            severity: components["schemas"]["CheckSeverity"];
            status: components["schemas"]["CheckStatus"] | null;
            status_since: string | null;
            status_reason: string | null;
            coverage: components["schemas"]["Coverage"];
            failing_regions: string[];
            latest_result: components["schemas"]["RunResult"];
            latest_run_at: string | null;
            latest_summary: string | null;
            /** Format: int64 */
            consecutive_failures: number;
            region_results: components["schemas"]["RegionResult"][];
            snoozed_until: string | null;
            snoozed_by: string | null;
            snooze_reason: string | null;
            next_check_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "redirect_chain";
            settings: {
                /**
                 * Format: int32
                 * @default 5
                 */
                max_hops: number;
                /** @default null */
                final_url: string | null;
                /** @default true */
                detect_changes: boolean;
                /** @default false */
                allow_downgrade: boolean;
                /** @default true */
                verify_tls: boolean;
                /** @default any */
                ip_version: components["schemas"]["IpVersion"];
                /**
                 * Format: int32
                 * @default 10000
                 */
                timeout_ms: number;
                /** @default null */
                degraded_after_ms: number | null;
            };
        };
        MixedContentCheck: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            monitor_id: string;
            is_enabled: boolean;
            interval: number | null;
            /** Format: int64 */
            effective_interval: number;
            severity: components["schemas"]["CheckSeverity"];
            status: components["schemas"]["CheckStatus"] | null;
            status_since: string | null;
            status_reason: string | null;
            coverage: components["schemas"]["Coverage"];
            failing_regions: string[];
            latest_result: components["schemas"]["RunResult"];
            latest_run_at: string | null;
            latest_summary: string | null;
            /** Format: int64 */
            consecutive_failures: number;
            region_results: components["schemas"]["RegionResult"][];
            snoozed_until: string | null;
            snoozed_by: string | null;
            snooze_reason: string | null;
            next_check_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "mixed_content";
            settings: {
                /**
                 * Format: int32
                 * @default 500
                 */
                max_pages: number;
                /**
                 * Format: int32
                 * @default 20
                 */
                max_depth: number;
                /** @default 2 */
                requests_per_second: number;
                /**
                 * Format: int32
                 * @default 2
                 */
                concurrency: number;
                /**
                 * Format: int32
                 * @default 10000
                 */
                page_timeout_ms: number;
                /**
                 * Format: int32
                 * @default 2000000
                 */
                max_page_bytes: number;
                /** @default false */
                include_subdomains: boolean;
                /** @default false */
                respect_nofollow: boolean;
                /** @default [] */
                ignore: string[];
                /** @default warning */
                active: components["schemas"]["FindingSeverity"];
                /** @default warning */
                passive: components["schemas"]["FindingSeverity"];
                /** @default warning */
                forms: components["schemas"]["FindingSeverity"];
            };
        };
        BrokenLinksCheck: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            monitor_id: string;
            is_enabled: boolean;
            interval: number | null;
            /** Format: int64 */
            effective_interval: number;
            severity: components["schemas"]["CheckSeverity"];
            status: components["schemas"]["CheckStatus"] | null;
            status_since: string | null;
            status_reason: string | null;
            coverage: components["schemas"]["Coverage"];
            failing_regions: string[];
            latest_result: components["schemas"]["RunResult"];
            latest_run_at: string | null;
            latest_summary: string | null;
            /** Format: int64 */
            consecutive_failures: number;
            region_results: components["schemas"]["RegionResult"][];
            snoozed_until: string | null;
            snoozed_by: string | null;
            snooze_reason: string | null;
            next_check_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "broken_links";
            settings: {
                /**
                 * Format: int32
                 * @default 500
                 */
                max_pages: number;
                /**
                 * Format: int32
                 * @default 20
                 */
                max_depth: number;
                /** @default 2 */
                requests_per_second: number;
                /**
                 * Format: int32
                 * @default 2
                 */
                concurrency: number;
                /**
                 * Format: int32
                 * @default 10000
                 */
                page_timeout_ms: number;
                /**
                 * Format: int32
                 * @default 2000000
                 */
                max_page_bytes: number;
                /** @default false */
                include_subdomains: boolean;
                /** @default false */
                respect_nofollow: boolean;
                /** @default [] */
                ignore: string[];
                /** @default true */
                check_external: boolean;
                /** @default true */
                check_assets: boolean;
                /**
                 * @default [
                 *       401,
                 *       403,
                 *       405,
                 *       406,
                 *       429,
                 *       999
                 *     ]
                 */
                tolerated_status: number[];
                /** @default warning */
                internal: components["schemas"]["FindingSeverity"];
                /** @default warning */
                external: components["schemas"]["FindingSeverity"];
                /**
                 * Format: int32
                 * @default 0
                 */
                max_broken: number;
            };
        };
        CrawlCheck: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            monitor_id: string;
            is_enabled: boolean;
            interval: number | null;
            /** Format: int64 */
            effective_interval: number;
            severity: components["schemas"]["CheckSeverity"];
            status: components["schemas"]["CheckStatus"] | null;
            status_since: string | null;
            status_reason: string | null;
            coverage: components["schemas"]["Coverage"];
            failing_regions: string[];
            latest_result: components["schemas"]["RunResult"];
            latest_run_at: string | null;
            latest_summary: string | null;
            /** Format: int64 */
            consecutive_failures: number;
            region_results: components["schemas"]["RegionResult"][];
            snoozed_until: string | null;
            snoozed_by: string | null;
            snooze_reason: string | null;
            next_check_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "crawl";
            settings: {
                /**
                 * Format: int32
                 * @default 500
                 */
                max_pages: number;
                /**
                 * Format: int32
                 * @default 20
                 */
                max_depth: number;
                /** @default 2 */
                requests_per_second: number;
                /**
                 * Format: int32
                 * @default 2
                 */
                concurrency: number;
                /**
                 * Format: int32
                 * @default 10000
                 */
                page_timeout_ms: number;
                /**
                 * Format: int32
                 * @default 2000000
                 */
                max_page_bytes: number;
                /** @default false */
                include_subdomains: boolean;
                /** @default false */
                respect_nofollow: boolean;
                /** @default [] */
                ignore: string[];
                /** @default false */
                check_external: boolean;
                /** @default false */
                check_assets: boolean;
                /** @default null */
                min_pages: number | null;
                /** @default null */
                max_failed_pages: number | null;
            };
        };
        CronCheck: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            monitor_id: string;
            is_enabled: boolean;
            interval: number | null;
            /** Format: int64 */
            effective_interval: number;
            severity: components["schemas"]["CheckSeverity"];
            status: components["schemas"]["CheckStatus"] | null;
            status_since: string | null;
            status_reason: string | null;
            coverage: components["schemas"]["Coverage"];
            failing_regions: string[];
            latest_result: components["schemas"]["RunResult"];
            latest_run_at: string | null;
            latest_summary: string | null;
            /** Format: int64 */
            consecutive_failures: number;
            region_results: components["schemas"]["RegionResult"][];
            snoozed_until: string | null;
            snoozed_by: string | null;
            snooze_reason: string | null;
            next_check_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "cron";
            settings: {
                /** @default simple */
                schedule_kind: components["schemas"]["ScheduleKind"];
                /** @default null */
                schedule: string | null;
                /** @default UTC */
                timezone: string;
                /** @default 60 */
                period_minutes: number | null;
                /**
                 * Format: int32
                 * @default 5
                 */
                grace_minutes: number;
                /** @default null */
                max_run_minutes: number | null;
                /** @default null */
                fail_keyword: string | null;
            };
        };
        RobotsTxtCheck: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            monitor_id: string;
            is_enabled: boolean;
            interval: number | null;
            /** Format: int64 */
            effective_interval: number;
            severity: components["schemas"]["CheckSeverity"];
            status: components["schemas"]["CheckStatus"] | null;
            status_since: string | null;
            status_reason: string | null;
            coverage: components["schemas"]["Coverage"];
            failing_regions: string[];
            latest_result: components["schemas"]["RunResult"];
            latest_run_at: string | null;
            latest_summary: string | null;
            /** Format: int64 */
            consecutive_failures: number;
            region_results: components["schemas"]["RegionResult"][];
            snoozed_until: string | null;
            snoozed_by: string | null;
            snooze_reason: string | null;
            next_check_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "robots_txt";
            settings: {
                /**
                 * @default [
                 *       "*"
                 *     ]
                 */
                user_agents: string[];
                /** @default [] */
                must_allow: string[];
                /** @default [] */
                must_disallow: string[];
                /** @default false */
                expect_blocked: boolean;
                /** @default false */
                must_exist: boolean;
                /** @default true */
                detect_changes: boolean;
                /** @default true */
                verify_tls: boolean;
                /** @default any */
                ip_version: components["schemas"]["IpVersion"];
                /**
                 * Format: int32
                 * @default 10000
                 */
                timeout_ms: number;
            };
        };
        ApplicationHealthCheck: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            monitor_id: string;
            is_enabled: boolean;
            interval: number | null;
            /** Format: int64 */
            effective_interval: number;
            severity: components["schemas"]["CheckSeverity"];
            status: components["schemas"]["CheckStatus"] | null;
            status_since: string | null;
            status_reason: string | null;
            coverage: components["schemas"]["Coverage"];
            failing_regions: string[];
            latest_result: components["schemas"]["RunResult"];
            latest_run_at: string | null;
            latest_summary: string | null;
            /** Format: int64 */
            consecutive_failures: number;
            region_results: components["schemas"]["RegionResult"][];
            snoozed_until: string | null;
            snoozed_by: string | null;
            snooze_reason: string | null;
            next_check_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "application_health";
            settings: {
                /** @default null */
                path: string | null;
                /** @default {} */
                headers: {
                    [key: string]: string;
                };
                /** @default null */
                auth: ({
                    /** @constant */
                    type: "basic";
                    username: string;
                    password: "********" | "";
                } | {
                    /** @constant */
                    type: "bearer";
                    token: "********" | "";
                }) | null;
                /** @default down */
                failed_is: components["schemas"]["FailedIs"];
                /** @default [] */
                ignored: string[];
                /**
                 * Format: int32
                 * @default 10
                 */
                max_age_minutes: number;
                /** @default true */
                verify_tls: boolean;
                /** @default any */
                ip_version: components["schemas"]["IpVersion"];
                /**
                 * Format: int32
                 * @default 10000
                 */
                timeout_ms: number;
                /** @default null */
                degraded_after_ms: number | null;
            };
        };
        SitemapCheck: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            monitor_id: string;
            is_enabled: boolean;
            interval: number | null;
            /** Format: int64 */
            effective_interval: number;
            severity: components["schemas"]["CheckSeverity"];
            status: components["schemas"]["CheckStatus"] | null;
            status_since: string | null;
            status_reason: string | null;
            coverage: components["schemas"]["Coverage"];
            failing_regions: string[];
            latest_result: components["schemas"]["RunResult"];
            latest_run_at: string | null;
            latest_summary: string | null;
            /** Format: int64 */
            consecutive_failures: number;
            region_results: components["schemas"]["RegionResult"][];
            snoozed_until: string | null;
            snoozed_by: string | null;
            snooze_reason: string | null;
            next_check_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "sitemap";
            settings: {
                /** @default null */
                path: string | null;
                /**
                 * Format: int32
                 * @default 10
                 */
                sample: number;
                /**
                 * Format: int32
                 * @default 10
                 */
                max_sitemaps: number;
                /** @default [] */
                ignored: components["schemas"]["SitemapFinding"][];
                /** @default true */
                verify_tls: boolean;
                /** @default any */
                ip_version: components["schemas"]["IpVersion"];
                /**
                 * Format: int32
                 * @default 30000
                 */
                timeout_ms: number;
            };
        };
        LighthouseCheck: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            monitor_id: string;
            is_enabled: boolean;
            interval: number | null;
            /** Format: int64 */
            effective_interval: number;
            severity: components["schemas"]["CheckSeverity"];
            status: components["schemas"]["CheckStatus"] | null;
            status_since: string | null;
            status_reason: string | null;
            coverage: components["schemas"]["Coverage"];
            failing_regions: string[];
            latest_result: components["schemas"]["RunResult"];
            latest_run_at: string | null;
            latest_summary: string | null;
            /** Format: int64 */
            consecutive_failures: number;
            region_results: components["schemas"]["RegionResult"][];
            snoozed_until: string | null;
            snoozed_by: string | null;
            snooze_reason: string | null;
            next_check_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "lighthouse";
            settings: {
                /** @default mobile */
                form_factor: components["schemas"]["FormFactor"];
                /**
                 * @default [
                 *       "performance",
                 *       "accessibility",
                 *       "best_practices",
                 *       "seo"
                 *     ]
                 */
                categories: components["schemas"]["LighthouseCategory"][];
                /** @default {} */
                min_scores: {
                    /** @default 50 */
                    performance: number | null;
                    /** @default null */
                    accessibility: number | null;
                    /** @default null */
                    best_practices: number | null;
                    /** @default null */
                    seo: number | null;
                };
                /** @default {} */
                max_metrics: {
                    /** @default null */
                    first_contentful_paint_ms: number | null;
                    /** @default null */
                    largest_contentful_paint_ms: number | null;
                    /** @default null */
                    total_blocking_time_ms: number | null;
                    /** @default null */
                    speed_index_ms: number | null;
                    /** @default null */
                    time_to_first_byte_ms: number | null;
                    /** @default null */
                    cumulative_layout_shift: number | null;
                };
                /**
                 * Format: int32
                 * @default 90
                 */
                audit_seconds: number;
            };
        };
        AgentCheck: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            monitor_id: string;
            is_enabled: boolean;
            interval: number | null;
            /** Format: int64 */
            effective_interval: number;
            severity: components["schemas"]["CheckSeverity"];
            status: components["schemas"]["CheckStatus"] | null;
            status_since: string | null;
            status_reason: string | null;
            coverage: components["schemas"]["Coverage"];
            failing_regions: string[];
            latest_result: components["schemas"]["RunResult"];
            latest_run_at: string | null;
            latest_summary: string | null;
            /** Format: int64 */
            consecutive_failures: number;
            region_results: components["schemas"]["RegionResult"][];
            snoozed_until: string | null;
            snoozed_by: string | null;
            snooze_reason: string | null;
            next_check_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "agent";
            settings: {
                /**
                 * @default [
                 *       {
                 *         "metric": "cpu",
                 *         "label": null,
                 *         "above": 95,
                 *         "for_minutes": 15,
                 *         "severity": "warning"
                 *       },
                 *       {
                 *         "metric": "memory",
                 *         "label": null,
                 *         "above": 95,
                 *         "for_minutes": 10,
                 *         "severity": "warning"
                 *       },
                 *       {
                 *         "metric": "disk",
                 *         "label": null,
                 *         "above": 90,
                 *         "for_minutes": 5,
                 *         "severity": "warning"
                 *       }
                 *     ]
                 */
                thresholds: {
                    metric: components["schemas"]["ServerMetric"];
                    above: number;
                    /**
                     * Format: int32
                     * @default 5
                     */
                    for_minutes: number;
                    /** @default warning */
                    severity: components["schemas"]["ThresholdSeverity"];
                    /** @default null */
                    label: string | null;
                }[];
                /** @default 10 */
                no_data_after_minutes: number | null;
            };
        };
        CheckRun: {
            /** Format: uuid */
            request_id: string;
            /** Format: uuid */
            check_id: string;
            asked: string[];
            silent: string[];
            results: components["schemas"]["CheckResult"][];
        };
        CheckResult: {
            /** Format: uuid */
            check_id: string;
            /** Format: uuid */
            monitor_id: string;
            region: string;
            /** Format: date-time */
            at: string;
            /** Format: date-time */
            due_at: string;
            /** Format: int64 */
            attempt: number;
            /** @enum {string} */
            reason: "due" | "confirm" | "asked";
            request_id: string | null;
            result: components["schemas"]["RunResult"];
            outcome: components["schemas"]["Outcome"];
            error_code: string | null;
            error_phase: string | null;
            summary: string | null;
            response_ms: number | null;
            phases: components["schemas"]["Phases"];
            http_status: number | null;
            seen: {
                [key: string]: unknown;
            } | null;
            excerpt: string | null;
            address: string | null;
            is_suspect: boolean;
        };
        CursorMeta: {
            next_cursor: string | null;
            prev_cursor: string | null;
            has_more: boolean;
            /** Format: int64 */
            per_page: number;
        };
        CrawlRun: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            monitor_id: string;
            /** @enum {string} */
            cause: "schedule" | "request";
            /** @enum {string} */
            state: "queued" | "running" | "finished" | "failed" | "cancelled";
            reason: string | null;
            region: string | null;
            page_limit: number | null;
            progress: {
                /** Format: int64 */
                found: number;
                /** Format: int64 */
                visited: number;
                /** Format: int64 */
                checked: number;
                /** Format: int64 */
                queued: number;
            };
            /** Format: int64 */
            broken: number;
            /** Format: int64 */
            mixed: number;
            /** Format: int64 */
            bytes: number;
            left_out: {
                [key: string]: number;
            };
            findings: {
                /** Format: int64 */
                pages: number;
                /** Format: int64 */
                checked: number;
                /** Format: int64 */
                failed_pages: number;
                limited_by: string | null;
                failure: string | null;
                /** Format: int64 */
                broken_internal: number;
                /** Format: int64 */
                broken_external: number;
                broken: {
                    url: string;
                    kind: components["schemas"]["LinkKind"];
                    status: number | null;
                    fault: string | null;
                    found_on: string | null;
                    text: string;
                }[];
                /** Format: int64 */
                mixed_pages: number;
                /** Format: int64 */
                active: number;
                /** Format: int64 */
                passive: number;
                /** Format: int64 */
                forms: number;
                mixed: {
                    page: string;
                    url: string;
                    element: string;
                    kind: components["schemas"]["MixedContentKind"];
                }[];
            } | null;
            /** Format: date-time */
            created_at: string;
            started_at: string | null;
            finished_at: string | null;
        };
        CrawlPage: {
            url: string;
            kind: components["schemas"]["LinkKind"];
            /** @enum {string} */
            state: "queued" | "done";
            /** Format: int64 */
            depth: number;
            status: number | null;
            fault: string | null;
            message: string | null;
            skipped: ("robots" | "blocked") | null;
            is_broken: boolean;
            content_type: string | null;
            bytes: number | null;
            took_ms: number | null;
            redirect_to: string | null;
            is_truncated: boolean;
            links_found: number | null;
            mixed_content: {
                /** Format: int64 */
                active: number;
                /** Format: int64 */
                passive: number;
                /** Format: int64 */
                forms: number;
                parts: {
                    url: string;
                    element: string;
                    kind: components["schemas"]["MixedContentKind"];
                }[];
            } | null;
            found_on: {
                page: string;
                element: string;
                text: string;
            }[];
            visited_at: string | null;
        };
        CronMonitor: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            check_id: string;
            name: string;
            tags: string[];
            group: string | null;
            notes: string | null;
            is_enabled: boolean;
            held_by_plan: boolean;
            status: components["schemas"]["MonitorStatus"] | null;
            status_reason: string | null;
            status_changed_at: string | null;
            depends_on: string[];
            escalation_policy_id: string | null;
            external_ref: string | null;
            metadata: {
                [key: string]: unknown;
            };
            slo: components["schemas"]["SloOutput"] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            url: string;
            severity: components["schemas"]["CheckSeverity"];
            schedule_kind: components["schemas"]["ScheduleKind"];
            schedule: string | null;
            timezone: string;
            period_minutes: number | null;
            /** Format: int64 */
            grace_minutes: number;
            max_run_minutes: number | null;
            fail_keyword: string | null;
            /** Format: uri */
            ping_url: string;
            former_ping_urls: {
                /** Format: uri */
                ping_url: string;
                /** Format: date-time */
                ends_at: string;
            }[];
            /** Format: int64 */
            pings_total: number;
            last_ping_at: string | null;
            last_state: components["schemas"]["PingState"] | null;
            running_since: string | null;
            alert_after: string | null;
            next_expected: string[];
        };
        ReceivedPing: {
            /** Format: int64 */
            number: number;
            /** Format: date-time */
            at: string;
            state: components["schemas"]["PingState"];
            /** @enum {string} */
            method: "GET" | "POST";
            rid: string | null;
            exit_code: number | null;
            duration_ms: number | null;
            output: string | null;
            ip: string | null;
            is_former_url: boolean;
        };
        PingSnippet: {
            name: string;
            language: string;
            text: string;
        };
        CustomDomain: {
            /** Format: uuid */
            id: string;
            hostname: string;
            /** @enum {string} */
            purpose: "status_page" | "portal";
            target_id: string | null;
            /** @enum {string} */
            state: "pending_dns" | "verified" | "issuing" | "active" | "failed" | "expired" | "disabled";
            dns: {
                cname: string;
                txt_name: string;
                txt_value: string;
            };
            last_error: ("txt_missing" | "txt_wrong" | "cname_missing" | "cname_wrong" | "dns_unanswered" | "taken") | null;
            verified_at: string | null;
            last_checked_at: string | null;
            next_check_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        DashboardStats: {
            monitors: {
                /** Format: int64 */
                total: number;
                /** Format: int64 */
                up: number;
                /** Format: int64 */
                down: number;
                /** Format: int64 */
                warning: number;
                /** Format: int64 */
                paused: number;
                /** Format: int64 */
                maintenance: number;
                /** Format: int64 */
                pending: number;
            };
            open_incidents: {
                /** Format: int64 */
                total: number;
                /** Format: int64 */
                critical: number;
                /** Format: int64 */
                major: number;
                /** Format: int64 */
                minor: number;
            };
            /** Format: int64 */
            unacknowledged_incidents: number;
            uptime_24h: number | null;
            uptime_7d: number | null;
            uptime_30d: number | null;
            /** Format: int64 */
            formula_version: number;
            avg_response_ms: number | null;
            /** Format: int64 */
            checks_24h: number;
        };
        AskedDomain: {
            domain: string;
        };
        EscalationPolicy: {
            /** Format: uuid */
            id: string;
            name: string;
            is_default: boolean;
            /** Format: int64 */
            repeat_count: number;
            /** Format: int64 */
            repeat_delay_minutes: number;
            fallback_policy_id: string | null;
            steps: components["schemas"]["EscalationStep"][];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        EscalationStep: {
            /** Format: uuid */
            id: string;
            /** Format: int64 */
            order: number;
            /** Format: int64 */
            delay_minutes: number;
            assignment: components["schemas"]["EscalationAssignment"];
            only_if: {
                severity: components["schemas"]["Severity"][] | null;
                days: components["schemas"]["Weekday"][] | null;
                from: string | null;
                to: string | null;
                timezone: string | null;
            } | null;
            targets: {
                type: components["schemas"]["EscalationTargetType"];
                id: string | null;
                position: components["schemas"]["EscalationPosition"] | null;
            }[];
        };
        GeoAudit: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            monitor_id: string;
            /** Format: uuid */
            check_id: string;
            check_type: string;
            /** @enum {string} */
            status: "pending" | "complete";
            /** Format: date-time */
            created_at: string;
            completed_at: string | null;
            regions: {
                region: string;
                /** @enum {string} */
                state: "answered" | "pending" | "silent" | "no_agent";
                result: {
                    /** Format: date-time */
                    at: string;
                    outcome: components["schemas"]["Outcome"];
                    error_code: string | null;
                    summary: string | null;
                    response_ms: number | null;
                    phases: components["schemas"]["Phases"];
                    http_status: number | null;
                    address: string | null;
                } | null;
            }[];
            comparison: {
                /** @enum {string} */
                phase: "dns" | "connect" | "tls" | "first_byte" | "total";
                fastest: {
                    region: string;
                    ms: number;
                };
                median_ms: number;
                slowest: {
                    region: string;
                    ms: number;
                };
            }[];
        };
        Incident: {
            /** Format: uuid */
            id: string;
            /** Format: int64 */
            number: number;
            title: string;
            cause: string | null;
            /** Format: uuid */
            monitor_id: string;
            monitor_name: string;
            monitor_url: string;
            check_id: string | null;
            check_type: string;
            severity: components["schemas"]["Severity"];
            status: components["schemas"]["IncidentStatus"];
            visibility: components["schemas"]["Visibility"];
            /** Format: date-time */
            started_at: string;
            /** Format: date-time */
            confirmed_at: string;
            resolved_at: string | null;
            resolution: components["schemas"]["IncidentResolution"] | null;
            /** Format: int64 */
            duration_s: number;
            acknowledged_at: string | null;
            acknowledged_by: string | null;
            is_snoozed: boolean;
            snoozed_until: string | null;
            archived_at: string | null;
            storm_id: string | null;
            maintenance_window_id: string | null;
            quorum: components["schemas"]["QuorumProof"];
            evidence: components["schemas"]["IncidentEvidence"] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        LinkedIncident: {
            /** Format: uuid */
            incident_id: string;
            monitor_name: string;
            monitor_url: string;
            title: string;
            cause: string | null;
            severity: components["schemas"]["Severity"];
            /** Format: date-time */
            started_at: string;
            resolved_at: string | null;
            acknowledged_at: string | null;
            acknowledged_by_name: string | null;
        };
        IncidentDetail: {
            /** Format: uuid */
            id: string;
            /** Format: int64 */
            number: number;
            title: string;
            cause: string | null;
            /** Format: uuid */
            monitor_id: string;
            monitor_name: string;
            monitor_url: string;
            check_id: string | null;
            check_type: string;
            severity: components["schemas"]["Severity"];
            status: components["schemas"]["IncidentStatus"];
            visibility: components["schemas"]["Visibility"];
            /** Format: date-time */
            started_at: string;
            /** Format: date-time */
            confirmed_at: string;
            resolved_at: string | null;
            resolution: components["schemas"]["IncidentResolution"] | null;
            /** Format: int64 */
            duration_s: number;
            acknowledged_at: string | null;
            acknowledged_by: string | null;
            is_snoozed: boolean;
            snoozed_until: string | null;
            archived_at: string | null;
            storm_id: string | null;
            maintenance_window_id: string | null;
            quorum: components["schemas"]["QuorumProof"];
            evidence: components["schemas"]["IncidentEvidence"] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            updates: components["schemas"]["IncidentUpdate"][];
            timeline: components["schemas"]["IncidentTimelineEntry"][];
            escalation: components["schemas"]["IncidentEscalation"] | null;
        };
        IncidentUpdate: {
            /** Format: uuid */
            id: string;
            status: components["schemas"]["IncidentStatus"];
            body: string;
            user_id: string | null;
            user_name: string | null;
            /** Format: date-time */
            created_at: string;
        };
        IncidentTimelineEntry: {
            /** Format: date-time */
            at: string;
            type: string;
            user_id: string | null;
            user_name: string | null;
            details: {
                [key: string]: unknown;
            } | null;
        };
        IncidentEscalation: {
            /** Format: uuid */
            policy_id: string;
            policy_name: string | null;
            state: components["schemas"]["EscalationState"];
            /** Format: int64 */
            step: number;
            /** Format: int64 */
            round: number;
            next_at: string | null;
            notifications: components["schemas"]["EscalationNotification"][];
            /** Format: int64 */
            notifications_total: number;
        };
        EscalationNotification: {
            /** Format: date-time */
            at: string;
            /** Format: uuid */
            policy_id: string;
            /** Format: int64 */
            round: number;
            /** Format: int64 */
            step: number;
            user_id: string | null;
            user_name: string | null;
            channel_id: string | null;
            channel_name: string | null;
            channel_type: string | null;
            via: ("mail" | "channel") | null;
            reason: ("condition_not_met" | "unreachable") | null;
            delivery: ("pending" | "delivered" | "failed") | null;
        };
        IncidentNotifications: {
            /** Format: uuid */
            id: string;
            event: string;
            /** @enum {string} */
            stage: "begun" | "followed" | "released" | "unmuted";
            /** @enum {string} */
            audience: "team" | "reseller";
            /** Format: date-time */
            emitted_at: string;
            /** Format: date-time */
            decided_at: string;
            /** Format: int64 */
            notified_count: number;
            message: string;
            channels: {
                /** Format: uuid */
                channel_id: string;
                channel_name: string;
                channel_type: string;
                is_notified: boolean;
                /** @enum {string} */
                reason: "rule_matched" | "escalation_step" | "channel_disabled" | "plan_limit" | "rule_unreadable" | "no_rule" | "pagers_only" | "tenant_filter" | "monitor_filter" | "check_snoozed" | "opening_not_notified" | "grouped_by_flapping" | "grouped_by_storm" | "maintenance" | "already_notified";
                message: string;
                rule_id: string | null;
                delivery: {
                    /** Format: uuid */
                    id: string;
                    /** @enum {string} */
                    status: "pending" | "held" | "retrying" | "delivered" | "failed";
                    /** Format: int64 */
                    attempts: number;
                    error: ("blocked" | "dns" | "connect" | "tls" | "timeout" | "http_status" | "template" | "mail" | "unconfirmed" | "mail_budget" | "circuit_open" | "overloaded" | "channel_off" | "internal") | null;
                    next_attempt_at: string | null;
                    finished_at: string | null;
                } | null;
            }[];
        };
        Invitation: {
            /** Format: uuid */
            id: string;
            email: string;
            role: components["schemas"]["Role"];
            /** @enum {string} */
            status: "pending" | "accepted" | "declined" | "expired" | "revoked";
            /** Format: date-time */
            expires_at: string;
            invited_by: string | null;
            accepted_at: string | null;
            accepted_by: string | null;
            /** Format: int64 */
            resent_count: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        MailBudget: {
            limit: number | null;
            /** Format: int64 */
            sent: number;
            /** Format: int64 */
            kept_back: number;
            days: {
                /** Format: date */
                day: string;
                /** Format: int64 */
                sent: number;
                /** Format: int64 */
                kept_back: number;
            }[];
        };
        MaintenanceWindow: {
            /** Format: uuid */
            id: string;
            title: string;
            description: string;
            scope: {
                monitor_ids: string[];
                tags: string[];
                all: boolean;
            };
            starts_at: string;
            timezone: string;
            /** Format: int64 */
            duration_minutes: number;
            rrule: string | null;
            until: string | null;
            status_page_ids: string[];
            mode: components["schemas"]["MaintenanceMode"];
            exclude_from_uptime: boolean;
            notify: {
                on_create: boolean;
                before_minutes: number[];
                on_start: boolean;
                on_end: boolean;
            };
            state: components["schemas"]["MaintenanceState"];
            next_starts_at: string | null;
            next_ends_at: string | null;
            actual_started_at: string | null;
            actual_ended_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        MaintenanceCalendar: {
            /** Format: uri */
            url: string;
        };
        Member: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            user_id: string;
            name: string;
            email: string;
            email_verified_at: string | null;
            role: components["schemas"]["Role"];
            /** @enum {string} */
            status: "active" | "disabled";
            mfa_enabled: boolean;
            auth_methods: ("password" | "totp" | "passkey")[];
            last_active_at: string | null;
            /** Format: date-time */
            joined_at: string;
            invited_by: string | null;
            language: string;
            timezone: string;
            contact_methods: {
                type: components["schemas"]["ChannelType"];
                verified: boolean;
            }[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        Monitor: {
            /** Format: uuid */
            id: string;
            name: string;
            tags: string[];
            group: string | null;
            notes: string | null;
            is_enabled: boolean;
            held_by_plan: boolean;
            status: components["schemas"]["MonitorStatus"] | null;
            status_reason: string | null;
            status_changed_at: string | null;
            depends_on: string[];
            escalation_policy_id: string | null;
            external_ref: string | null;
            metadata: {
                [key: string]: unknown;
            };
            slo: components["schemas"]["SloOutput"] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            url: string;
            type: components["schemas"]["MonitorType"];
            coverage: components["schemas"]["Coverage"];
            coverage_since: string | null;
            /** Format: int64 */
            check_interval: number;
            /** Format: int64 */
            timeout: number;
            regions: string[];
            region_policy: {
                mode: components["schemas"]["PolicyMode"];
                count: number | null;
            };
            /** Format: int64 */
            confirmations: number;
            /** Format: int64 */
            recovery_confirmations: number;
            last_checked_at: string | null;
            next_check_at: string | null;
            checks: components["schemas"]["CheckSummary"][];
        };
        CheckSummary: {
            /** Format: uuid */
            id: string;
            type: components["schemas"]["CheckType"];
            is_enabled: boolean;
            severity: components["schemas"]["CheckSeverity"];
            status: components["schemas"]["CheckStatus"] | null;
            status_reason: string | null;
            coverage: components["schemas"]["Coverage"];
            snoozed_until: string | null;
        };
        UptimeByDay: {
            timezone: string;
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** Format: int64 */
            formula_version: number;
            dates: string[];
            monitors: {
                /** Format: uuid */
                monitor_id: string;
                uptime_pct: number | null;
                up_s: number[];
                warning_s: number[];
                downtime_s: number[];
                maintenance_s: number[];
                paused_s: number[];
                no_data_s: number[];
            }[];
        };
        ServerNow: {
            /** Format: uuid */
            monitor_id: string;
            host: components["schemas"]["ServerHost"] | null;
            last_heard_at: string | null;
            is_silent: boolean;
            metrics: {
                metric: components["schemas"]["ServerMetric"];
                unit: string;
                label: string | null;
                value: number;
                /** Format: date-time */
                at: string;
            }[];
            passed: {
                metric: components["schemas"]["ServerMetric"];
                above: number;
                /**
                 * Format: int32
                 * @default 5
                 */
                for_minutes: number;
                /** @default warning */
                severity: components["schemas"]["ThresholdSeverity"];
                label: string;
                value: number;
            }[];
            processes: {
                name: string;
                cpu: number;
                memory: number;
            }[];
            processes_at: string | null;
            /**
             * @default [
             *       {
             *         "metric": "cpu",
             *         "label": null,
             *         "above": 95,
             *         "for_minutes": 15,
             *         "severity": "warning"
             *       },
             *       {
             *         "metric": "memory",
             *         "label": null,
             *         "above": 95,
             *         "for_minutes": 10,
             *         "severity": "warning"
             *       },
             *       {
             *         "metric": "disk",
             *         "label": null,
             *         "above": 90,
             *         "for_minutes": 5,
             *         "severity": "warning"
             *       }
             *     ]
             */
            thresholds: components["schemas"]["ServerThresholdOutput"][];
            /** @default 10 */
            no_data_after_minutes: number | null;
        };
        BrokenLinksReport: {
            /** Format: uuid */
            monitor_id: string;
            /** Format: uuid */
            check_id: string;
            check_ids: string[];
            is_enabled: boolean;
            status: components["schemas"]["CheckStatus"] | null;
            status_since: string | null;
            status_reason: string | null;
            coverage: components["schemas"]["Coverage"];
            failing_regions: string[];
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** @constant */
            type: "broken_links";
            regions: {
                region: string;
                result: components["schemas"]["RunResult"];
                /** Format: date-time */
                at: string;
                response_ms: number | null;
                error_code: string | null;
                summary: string | null;
                outcome: components["schemas"]["Outcome"];
                latest: {
                    /** @enum {string} */
                    state: "none" | "finished" | "failed" | "not_in_plan";
                    run: string | null;
                    finished_at: string | null;
                    /** Format: int64 */
                    pages: number;
                    /** Format: int64 */
                    checked: number;
                    limited_by: string | null;
                    failure: string | null;
                    /** Format: int64 */
                    broken_internal: number;
                    /** Format: int64 */
                    broken_external: number;
                    broken: {
                        url: string;
                        kind: components["schemas"]["LinkKind"];
                        status: number | null;
                        fault: string | null;
                        found_on: string | null;
                        text: string;
                    }[];
                } | null;
            }[];
            days: components["schemas"]["SeriesPoint"][];
        };
        CertificateReport: {
            /** Format: uuid */
            monitor_id: string;
            /** Format: uuid */
            check_id: string;
            check_ids: string[];
            is_enabled: boolean;
            status: components["schemas"]["CheckStatus"] | null;
            status_since: string | null;
            status_reason: string | null;
            coverage: components["schemas"]["Coverage"];
            failing_regions: string[];
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** @constant */
            type: "ssl";
            regions: {
                region: string;
                result: components["schemas"]["RunResult"];
                /** Format: date-time */
                at: string;
                response_ms: number | null;
                error_code: string | null;
                summary: string | null;
                outcome: components["schemas"]["Outcome"];
                latest: {
                    issuer: string;
                    subject: string;
                    names: string[];
                    /** Format: date-time */
                    valid_from: string;
                    /** Format: date-time */
                    valid_to: string;
                    /** Format: int64 */
                    days_left: number;
                    fingerprint: string;
                    protocol: string | null;
                    cipher: string | null;
                    matches_host: boolean;
                    chain_error: string | null;
                    /** @default null */
                    serial: string | null;
                    /** @default null */
                    chain_problem: ("self_signed" | "incomplete" | "expired_link" | "untrusted") | null;
                    /** @default null */
                    missing_link: string | null;
                    /** @default [] */
                    chain: {
                        subject: string;
                        issuer: string;
                        /** Format: date-time */
                        not_after: string;
                        key: string;
                        signature: string;
                    }[];
                    /** @default [] */
                    weaknesses: {
                        /** @enum {string} */
                        code: "weak_key" | "weak_signature";
                        subject: string;
                        what: string;
                    }[];
                } | null;
            }[];
            changes: components["schemas"]["CheckChange"][];
            days: components["schemas"]["SeriesPoint"][];
        };
        CheckChange: {
            /** Format: date-time */
            at: string;
            event: string;
            regions: string[];
            details: {
                [key: string]: unknown;
            };
        };
        DnsHistoryReport: {
            /** Format: uuid */
            monitor_id: string;
            /** Format: uuid */
            check_id: string;
            check_ids: string[];
            is_enabled: boolean;
            status: components["schemas"]["CheckStatus"] | null;
            status_since: string | null;
            status_reason: string | null;
            coverage: components["schemas"]["Coverage"];
            failing_regions: string[];
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** @constant */
            type: "dns";
            regions: {
                region: string;
                result: components["schemas"]["RunResult"];
                /** Format: date-time */
                at: string;
                response_ms: number | null;
                error_code: string | null;
                summary: string | null;
                outcome: components["schemas"]["Outcome"];
                latest: {
                    records: {
                        [key: string]: string[];
                    };
                    settled: boolean;
                    /** @default null */
                    replaced: {
                        [key: string]: string[];
                    } | null;
                    /** @default null */
                    zone: string | null;
                    /** @default null */
                    nameservers: string[] | null;
                } | null;
            }[];
            changes: components["schemas"]["CheckChange"][];
            days: components["schemas"]["SeriesPoint"][];
        };
        DnsblReport: {
            /** Format: uuid */
            monitor_id: string;
            /** Format: uuid */
            check_id: string;
            check_ids: string[];
            is_enabled: boolean;
            status: components["schemas"]["CheckStatus"] | null;
            status_since: string | null;
            status_reason: string | null;
            coverage: components["schemas"]["Coverage"];
            failing_regions: string[];
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** @constant */
            type: "dnsbl";
            regions: {
                region: string;
                result: components["schemas"]["RunResult"];
                /** Format: date-time */
                at: string;
                response_ms: number | null;
                error_code: string | null;
                summary: string | null;
                outcome: components["schemas"]["Outcome"];
                latest: {
                    addresses: string[];
                    domain: string | null;
                    lists: {
                        list: components["schemas"]["BlockList"];
                        /** @enum {string} */
                        state: "clean" | "listed" | "refused" | "failed";
                        listed: string[];
                        codes: string[];
                        meaning: string | null;
                        is_policy: boolean;
                        name: string;
                        zone: string;
                        /** Format: uri */
                        about: string;
                    }[];
                } | null;
            }[];
            days: components["schemas"]["SeriesPoint"][];
        };
        DomainExpiryReport: {
            /** Format: uuid */
            monitor_id: string;
            /** Format: uuid */
            check_id: string;
            check_ids: string[];
            is_enabled: boolean;
            status: components["schemas"]["CheckStatus"] | null;
            status_since: string | null;
            status_reason: string | null;
            coverage: components["schemas"]["Coverage"];
            failing_regions: string[];
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** @constant */
            type: "domain_expiry";
            regions: {
                region: string;
                result: components["schemas"]["RunResult"];
                /** Format: date-time */
                at: string;
                response_ms: number | null;
                error_code: string | null;
                summary: string | null;
                outcome: components["schemas"]["Outcome"];
                latest: {
                    domain: string;
                    /** @enum {string} */
                    answer: "fresh" | "kept" | "none" | "not_registered" | "unsupported";
                    as_of: string | null;
                    source: ("rdap" | "whois") | null;
                    server: string | null;
                    problem: string | null;
                    expires_at: string | null;
                    registered_at: string | null;
                    updated_at: string | null;
                    registrar: string | null;
                    statuses: string[];
                    nameservers: string[];
                    signed: boolean | null;
                } | null;
            }[];
            days: components["schemas"]["SeriesPoint"][];
        };
        GeoAuditItem: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            monitor_id: string;
            /** Format: uuid */
            check_id: string;
            check_type: string;
            /** @enum {string} */
            status: "pending" | "complete";
            /** Format: date-time */
            created_at: string;
            completed_at: string | null;
            /** Format: int64 */
            regions_count: number;
            /** Format: int64 */
            answered_count: number;
        };
        HealthReport: {
            /** Format: uuid */
            monitor_id: string;
            /** Format: uuid */
            check_id: string;
            check_ids: string[];
            is_enabled: boolean;
            status: components["schemas"]["CheckStatus"] | null;
            status_since: string | null;
            status_reason: string | null;
            coverage: components["schemas"]["Coverage"];
            failing_regions: string[];
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** @constant */
            type: "application_health";
            regions: {
                region: string;
                result: components["schemas"]["RunResult"];
                /** Format: date-time */
                at: string;
                response_ms: number | null;
                error_code: string | null;
                summary: string | null;
                outcome: components["schemas"]["Outcome"];
                latest: {
                    /** Format: int64 */
                    http_status: number;
                    form: ("plain" | "ohdear" | "spring") | null;
                    status: ("ok" | "warning" | "failed" | "skipped") | null;
                    finished_at: string | null;
                    checks: {
                        name: string;
                        /** @enum {string} */
                        status: "ok" | "warning" | "failed" | "skipped";
                        message: string | null;
                    }[];
                    /** Format: int64 */
                    total: number;
                } | null;
            }[];
            days: components["schemas"]["SeriesPoint"][];
        };
        LighthouseReport: {
            /** Format: uuid */
            monitor_id: string;
            /** Format: uuid */
            check_id: string;
            check_ids: string[];
            is_enabled: boolean;
            status: components["schemas"]["CheckStatus"] | null;
            status_since: string | null;
            status_reason: string | null;
            coverage: components["schemas"]["Coverage"];
            failing_regions: string[];
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** @constant */
            type: "lighthouse";
            regions: {
                region: string;
                result: components["schemas"]["RunResult"];
                /** Format: date-time */
                at: string;
                response_ms: number | null;
                error_code: string | null;
                summary: string | null;
                outcome: components["schemas"]["Outcome"];
                latest: {
                    url: string;
                    form_factor: components["schemas"]["FormFactor"];
                    scores: {
                        performance: number | null;
                        accessibility: number | null;
                        best_practices: number | null;
                        seo: number | null;
                    };
                    metrics: {
                        first_contentful_paint_ms: number | null;
                        largest_contentful_paint_ms: number | null;
                        total_blocking_time_ms: number | null;
                        speed_index_ms: number | null;
                        time_to_first_byte_ms: number | null;
                        cumulative_layout_shift: number | null;
                    };
                    worst: {
                        id: string;
                        category: components["schemas"]["LighthouseCategory"];
                        title: string;
                        /** Format: int32 */
                        score: number;
                        found: string | null;
                        saves_ms: number | null;
                    }[];
                    notes: string[];
                    /** Format: int64 */
                    bytes: number;
                    /** Format: int64 */
                    blocked: number;
                    browser: string;
                    lighthouse: string;
                    error: {
                        code: string;
                        message: string;
                    } | null;
                } | null;
            }[];
            days: components["schemas"]["SeriesPoint"][];
        };
        MixedContentReport: {
            /** Format: uuid */
            monitor_id: string;
            /** Format: uuid */
            check_id: string;
            check_ids: string[];
            is_enabled: boolean;
            status: components["schemas"]["CheckStatus"] | null;
            status_since: string | null;
            status_reason: string | null;
            coverage: components["schemas"]["Coverage"];
            failing_regions: string[];
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** @constant */
            type: "mixed_content";
            regions: {
                region: string;
                result: components["schemas"]["RunResult"];
                /** Format: date-time */
                at: string;
                response_ms: number | null;
                error_code: string | null;
                summary: string | null;
                outcome: components["schemas"]["Outcome"];
                latest: {
                    /** @enum {string} */
                    state: "none" | "finished" | "failed" | "not_in_plan";
                    run: string | null;
                    finished_at: string | null;
                    /** Format: int64 */
                    pages: number;
                    /** Format: int64 */
                    checked: number;
                    limited_by: string | null;
                    failure: string | null;
                    /** Format: int64 */
                    mixed_pages: number;
                    /** Format: int64 */
                    active: number;
                    /** Format: int64 */
                    passive: number;
                    /** Format: int64 */
                    forms: number;
                    mixed: {
                        page: string;
                        url: string;
                        element: string;
                        kind: components["schemas"]["MixedContentKind"];
                    }[];
                } | null;
            }[];
            days: components["schemas"]["SeriesPoint"][];
        };
        MonitorPerformance: {
            /** Format: int64 */
            total_checks: number;
            avg_ms: number | null;
            min_ms: number | null;
            max_ms: number | null;
            p50_ms: number | null;
            p95_ms: number | null;
            p99_ms: number | null;
            phases: {
                dns_ms: number | null;
                connect_ms: number | null;
                tls_ms: number | null;
                first_byte_ms: number | null;
            };
            /** Format: uuid */
            monitor_id: string;
            check_id: string | null;
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            regions: {
                /** Format: int64 */
                total_checks: number;
                avg_ms: number | null;
                min_ms: number | null;
                max_ms: number | null;
                p50_ms: number | null;
                p95_ms: number | null;
                p99_ms: number | null;
                phases: {
                    dns_ms: number | null;
                    connect_ms: number | null;
                    tls_ms: number | null;
                    first_byte_ms: number | null;
                };
                region: string;
            }[];
        };
        PingReport: {
            /** Format: uuid */
            monitor_id: string;
            /** Format: uuid */
            check_id: string;
            check_ids: string[];
            is_enabled: boolean;
            status: components["schemas"]["CheckStatus"] | null;
            status_since: string | null;
            status_reason: string | null;
            coverage: components["schemas"]["Coverage"];
            failing_regions: string[];
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** @constant */
            type: "ping";
            regions: {
                region: string;
                result: components["schemas"]["RunResult"];
                /** Format: date-time */
                at: string;
                response_ms: number | null;
                error_code: string | null;
                summary: string | null;
                outcome: components["schemas"]["Outcome"];
                latest: {
                    /** Format: int64 */
                    sent: number;
                    /** Format: int64 */
                    received: number;
                    min_ms: number | null;
                    avg_ms: number | null;
                    max_ms: number | null;
                    /** Format: int64 */
                    loss_percent: number;
                } | null;
            }[];
            days: components["schemas"]["SeriesPoint"][];
        };
        RedirectChainReport: {
            /** Format: uuid */
            monitor_id: string;
            /** Format: uuid */
            check_id: string;
            check_ids: string[];
            is_enabled: boolean;
            status: components["schemas"]["CheckStatus"] | null;
            status_since: string | null;
            status_reason: string | null;
            coverage: components["schemas"]["Coverage"];
            failing_regions: string[];
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** @constant */
            type: "redirect_chain";
            regions: {
                region: string;
                result: components["schemas"]["RunResult"];
                /** Format: date-time */
                at: string;
                response_ms: number | null;
                error_code: string | null;
                summary: string | null;
                outcome: components["schemas"]["Outcome"];
                latest: {
                    hops: {
                        url: string;
                        /** Format: int64 */
                        status: number;
                        protocol: string;
                        tls: string | null;
                        ms: number;
                    }[];
                    /** @enum {string} */
                    end: "arrived" | "loop" | "too_many" | "failed";
                    final_url: string;
                    failure: components["schemas"]["RunFault"] | null;
                    /** @default null */
                    replaced: string | null;
                } | null;
            }[];
            days: components["schemas"]["SeriesPoint"][];
        };
        RunFault: {
            /** @enum {string} */
            code: "dns_not_found" | "dns_failed" | "dns_timeout" | "refused" | "reset" | "unreachable" | "timeout" | "tls_failed" | "protocol" | "too_large" | "too_many_redirects" | "blocked" | "resolver_unavailable" | "unsupported" | "overloaded" | "internal";
            /** @enum {string} */
            phase: "guard" | "dns" | "connect" | "tls" | "request" | "first_byte" | "body";
            message: string;
        };
        MonitorReport: {
            /** Format: uuid */
            monitor_id: string;
            /** Format: date */
            from: string;
            /** Format: date */
            to: string;
            /** Format: int64 */
            formula_version: number;
            daily: {
                /** Format: date */
                date: string;
                uptime_pct: number | null;
                /** Format: int64 */
                downtime_s: number;
                /** Format: int64 */
                maintenance_s: number;
                /** Format: int64 */
                no_data_s: number;
                avg_response_ms: number | null;
                p50_response_ms: number | null;
                p95_response_ms: number | null;
                p99_response_ms: number | null;
                /** Format: int64 */
                total_checks: number;
            }[];
            overall: {
                uptime_pct: number | null;
                /** Format: int64 */
                downtime_s: number;
                /** Format: int64 */
                maintenance_s: number;
                /** Format: int64 */
                no_data_s: number;
                avg_response_ms: number | null;
                p50_response_ms: number | null;
                p95_response_ms: number | null;
                p99_response_ms: number | null;
                /** Format: int64 */
                total_checks: number;
                /** Format: int64 */
                incidents_count: number;
            };
            slo: components["schemas"]["SloBudget"] | null;
        };
        SloBudget: {
            target_pct: number;
            /** Format: int64 */
            window_days: number;
            uptime_pct: number | null;
            budget_s: number;
            used_s: number;
            left_s: number;
            left_pct: number;
        };
        RobotsTxtReport: {
            /** Format: uuid */
            monitor_id: string;
            /** Format: uuid */
            check_id: string;
            check_ids: string[];
            is_enabled: boolean;
            status: components["schemas"]["CheckStatus"] | null;
            status_since: string | null;
            status_reason: string | null;
            coverage: components["schemas"]["Coverage"];
            failing_regions: string[];
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** @constant */
            type: "robots_txt";
            regions: {
                region: string;
                result: components["schemas"]["RunResult"];
                /** Format: date-time */
                at: string;
                response_ms: number | null;
                error_code: string | null;
                summary: string | null;
                outcome: components["schemas"]["Outcome"];
                latest: {
                    url: string;
                    /** Format: int64 */
                    status: number;
                    /** @enum {string} */
                    state: "read" | "unavailable" | "unreachable";
                    /** Format: int64 */
                    bytes: number;
                    truncated: boolean;
                    too_complex: boolean;
                    is_html: boolean;
                    print: string;
                    /** Format: int64 */
                    rules: number;
                    /** Format: int64 */
                    strange_lines: number;
                    agents: string[];
                    sitemaps: string[];
                    blocked: string[];
                    refused: {
                        agent: string;
                        path: string;
                    }[];
                    open: {
                        agent: string;
                        path: string;
                    }[];
                    /** @default null */
                    changes: {
                        added: string[];
                        removed: string[];
                    } | null;
                } | null;
            }[];
            days: components["schemas"]["SeriesPoint"][];
        };
        SecurityHeadersReport: {
            /** Format: uuid */
            monitor_id: string;
            /** Format: uuid */
            check_id: string;
            check_ids: string[];
            is_enabled: boolean;
            status: components["schemas"]["CheckStatus"] | null;
            status_since: string | null;
            status_reason: string | null;
            coverage: components["schemas"]["Coverage"];
            failing_regions: string[];
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** @constant */
            type: "security_headers";
            regions: {
                region: string;
                result: components["schemas"]["RunResult"];
                /** Format: date-time */
                at: string;
                response_ms: number | null;
                error_code: string | null;
                summary: string | null;
                outcome: components["schemas"]["Outcome"];
                latest: {
                    url: string;
                    /** Format: int64 */
                    status: number;
                    scoring: string;
                    grade: components["schemas"]["HeaderGrade"];
                    /** Format: int64 */
                    score: number;
                    findings: {
                        name: string;
                        value: string | null;
                        result: string;
                        /** Format: int64 */
                        score: number;
                        advice: string | null;
                    }[];
                    policy: {
                        directive: string;
                        /** @enum {string} */
                        severity: "high" | "syntax" | "medium" | "high_maybe" | "strict_csp" | "medium_maybe" | "info";
                        message: string;
                    }[];
                    missing: string[];
                    settled: boolean;
                    /** @default null */
                    dropped_from: {
                        grade: components["schemas"]["HeaderGrade"];
                        /** Format: int64 */
                        score: number;
                    } | null;
                } | null;
            }[];
            days: components["schemas"]["SeriesPoint"][];
        };
        Simulation: {
            /** Format: uuid */
            monitor_id: string;
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** Format: int64 */
            looks: number;
            were: {
                /** Format: int64 */
                incidents: number;
                /** Format: int64 */
                alerts: number;
                /** Format: int64 */
                held_alerts: number;
                /** Format: int64 */
                flapping: number;
                minutes: number;
                longest_minutes: number;
                list: {
                    /** Format: uuid */
                    incident_id: string;
                    /** Format: int64 */
                    number: number;
                    resolution: components["schemas"]["IncidentResolution"] | null;
                    /** Format: uuid */
                    check_id: string;
                    check_type: string;
                    /** Format: date-time */
                    started_at: string;
                    /** Format: date-time */
                    confirmed_at: string;
                    resolved_at: string | null;
                    minutes: number;
                    regions: string[];
                    alerts: components["schemas"]["MonitorAlert"][];
                    held_by: ("flapping" | "snooze" | "storm" | "maintenance") | null;
                    held_alerts: components["schemas"]["MonitorAlert"][];
                }[];
            };
            unchanged: components["schemas"]["SimulationTotals"];
            would_be: {
                /** Format: int64 */
                incidents: number;
                /** Format: int64 */
                alerts: number;
                /** Format: int64 */
                held_alerts: number;
                /** Format: int64 */
                flapping: number;
                minutes: number;
                longest_minutes: number;
                list: {
                    incident_id: string | null;
                    /** Format: uuid */
                    check_id: string;
                    check_type: string;
                    /** Format: date-time */
                    started_at: string;
                    /** Format: date-time */
                    confirmed_at: string;
                    resolved_at: string | null;
                    minutes: number;
                    regions: string[];
                    alerts: components["schemas"]["MonitorAlert"][];
                    held_by: ("flapping" | "snooze" | "storm" | "maintenance") | null;
                    held_alerts: components["schemas"]["MonitorAlert"][];
                }[];
            };
            difference: components["schemas"]["SimulationDifference"];
            changes: {
                check_id: string | null;
                setting: string;
                from: unknown;
                to: unknown;
                alone: components["schemas"]["SimulationTotals"];
                difference: components["schemas"]["SimulationDifference"];
                matters: boolean;
            }[];
            notes: {
                code: string;
                message: string;
            }[];
        };
        SimulationTotals: {
            /** Format: int64 */
            incidents: number;
            /** Format: int64 */
            alerts: number;
            /** Format: int64 */
            held_alerts: number;
            /** Format: int64 */
            flapping: number;
            minutes: number;
            longest_minutes: number;
        };
        SimulationDifference: {
            /** Format: int64 */
            incidents: number;
            /** Format: int64 */
            alerts: number;
            minutes: number;
        };
        SitemapReport: {
            /** Format: uuid */
            monitor_id: string;
            /** Format: uuid */
            check_id: string;
            check_ids: string[];
            is_enabled: boolean;
            status: components["schemas"]["CheckStatus"] | null;
            status_since: string | null;
            status_reason: string | null;
            coverage: components["schemas"]["Coverage"];
            failing_regions: string[];
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** @constant */
            type: "sitemap";
            regions: {
                region: string;
                result: components["schemas"]["RunResult"];
                /** Format: date-time */
                at: string;
                response_ms: number | null;
                error_code: string | null;
                summary: string | null;
                outcome: components["schemas"]["Outcome"];
                latest: {
                    url: string;
                    /** Format: int64 */
                    status: number;
                    root: ("urlset" | "sitemapindex") | null;
                    /** Format: int64 */
                    read: number;
                    /** Format: int64 */
                    named: number;
                    /** Format: int64 */
                    urls: number;
                    /** Format: int64 */
                    bytes: number;
                    gzip: boolean;
                    newest: string | null;
                    sampled: {
                        url: string;
                        status: number | null;
                        error: string | null;
                    }[];
                    cut_short: boolean;
                    problems: {
                        code: components["schemas"]["SitemapFinding"];
                        /** Format: int64 */
                        count: number;
                        examples: string[];
                    }[];
                } | null;
            }[];
            days: components["schemas"]["SeriesPoint"][];
        };
        SloState: {
            /** Format: uuid */
            monitor_id: string;
            target_pct: number;
            /** Format: int64 */
            window_days: number;
            uptime_pct: number | null;
            budget_s: number;
            used_s: number;
            left_s: number;
            left_pct: number;
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** Format: int64 */
            formula_version: number;
            burn_rate_1h: number | null;
            burn_rate_24h: number | null;
            exhausted_at: string | null;
        };
        TcpReport: {
            /** Format: uuid */
            monitor_id: string;
            /** Format: uuid */
            check_id: string;
            check_ids: string[];
            is_enabled: boolean;
            status: components["schemas"]["CheckStatus"] | null;
            status_since: string | null;
            status_reason: string | null;
            coverage: components["schemas"]["Coverage"];
            failing_regions: string[];
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** @constant */
            type: "tcp";
            regions: {
                region: string;
                result: components["schemas"]["RunResult"];
                /** Format: date-time */
                at: string;
                response_ms: number | null;
                error_code: string | null;
                summary: string | null;
                outcome: components["schemas"]["Outcome"];
                latest: {
                    matched: boolean | null;
                    banner: string | null;
                } | null;
            }[];
            days: components["schemas"]["SeriesPoint"][];
        };
        MonitorUptime: {
            /** Format: uuid */
            monitor_id: string;
            check_id: string | null;
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** Format: int64 */
            formula_version: number;
            uptime_pct: number | null;
            /** Format: int64 */
            up_s: number;
            /** Format: int64 */
            warning_s: number;
            /** Format: int64 */
            downtime_s: number;
            /** Format: int64 */
            maintenance_s: number;
            /** Format: int64 */
            paused_s: number;
            /** Format: int64 */
            no_data_s: number;
            days: {
                /** Format: date */
                date: string;
                uptime_pct: number | null;
                /** Format: int64 */
                up_s: number;
                /** Format: int64 */
                warning_s: number;
                /** Format: int64 */
                downtime_s: number;
                /** Format: int64 */
                maintenance_s: number;
                /** Format: int64 */
                paused_s: number;
                /** Format: int64 */
                no_data_s: number;
            }[];
            spans: {
                /** @enum {string} */
                verdict: "up" | "warning" | "down" | "maintenance" | "paused" | "no_data";
                /** Format: date-time */
                from: string;
                /** Format: date-time */
                to: string;
            }[];
        };
        WebVitalsBeacon: {
            /** Format: uuid */
            monitor_id: string;
            url: string;
            snippet: string;
            /** Format: date-time */
            created_at: string;
        };
        WebVitals: {
            /** Format: uuid */
            monitor_id: string;
            /** Format: date */
            from: string;
            /** Format: date */
            to: string;
            beacon: components["schemas"]["WebVitalsBeacon"] | null;
            thresholds: {
                metric: components["schemas"]["VitalMetric"];
                good: number;
                poor: number;
            }[];
            metrics: components["schemas"]["WebVitalsMetric"][];
            connections: {
                connection: string;
                metrics: components["schemas"]["WebVitalsMetric"][];
            }[];
            pages: {
                path: string;
                metrics: components["schemas"]["WebVitalsMetric"][];
            }[];
        };
        WebVitalsMetric: {
            metric: components["schemas"]["VitalMetric"];
            p75: number;
            /** @enum {string} */
            rating: "good" | "needs_improvement" | "poor";
            /** Format: int64 */
            samples: number;
            /** Format: int64 */
            good: number;
            /** Format: int64 */
            needs_improvement: number;
            /** Format: int64 */
            poor: number;
        };
        MonthlyReport: {
            month: string;
            timezone: string;
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** Format: int64 */
            formula_version: number;
            /** Format: int64 */
            monitors_count: number;
            uptime_pct: number | null;
            /** Format: int64 */
            downtime_s: number;
            /** Format: int64 */
            incidents_count: number;
            before: {
                month: string;
                uptime_pct: number | null;
                /** Format: int64 */
                downtime_s: number;
                /** Format: int64 */
                incidents_count: number;
            };
            monitors: {
                /** Format: uuid */
                monitor_id: string;
                monitor_name: string;
                monitor_url: string;
                uptime_pct: number | null;
                /** Format: int64 */
                downtime_s: number;
                /** Format: int64 */
                incidents_count: number;
                /** Format: int64 */
                maintenance_s: number;
                /** Format: int64 */
                no_data_s: number;
                /** Format: int64 */
                longest_s: number;
                mtta_s: number | null;
                mttr_s: number | null;
                before: {
                    uptime_pct: number | null;
                    /** Format: int64 */
                    downtime_s: number;
                    /** Format: int64 */
                    incidents_count: number;
                };
                avg_response_ms: number | null;
                p50_response_ms: number | null;
                p95_response_ms: number | null;
                p99_response_ms: number | null;
                slo: components["schemas"]["SloBudget"] | null;
            }[];
            incidents: {
                title: string;
                monitor_name: string;
                /** Format: date-time */
                started_at: string;
                resolved_at: string | null;
                /** Format: int64 */
                duration_s: number;
            }[];
        };
        ReportedMonth: {
            month: string;
            timezone: string;
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** @constant */
            status: "ready";
        };
        ChannelPreset: {
            /** @enum {string} */
            preset: "ntfy" | "pushover" | "mattermost" | "google_chat" | "opsgenie" | "twilio_sms" | "sms_gateway";
            title: string;
            description: string;
            url: string | null;
            fields: {
                name: string;
                label: string;
                is_required: boolean;
            }[];
            method: string;
            headers: {
                [key: string]: string;
            };
            content_type: string;
            body_template: string;
        };
        ChannelTest: {
            success: boolean;
            status_code: number | null;
            error: string | null;
            response: string | null;
            /** Format: int64 */
            duration_ms: number;
        };
        NotificationLog: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            channel_id: string;
            channel_name: string;
            channel_type: components["schemas"]["ChannelType"];
            event: string;
            /** @enum {string} */
            status: "pending" | "held" | "retrying" | "delivered" | "failed";
            managed_tenant_id: string | null;
            monitor_id: string | null;
            attempts: components["schemas"]["DeliveryAttempt"][];
            next_attempt_at: string | null;
            is_replayable: boolean;
            /** Format: date-time */
            created_at: string;
            finished_at: string | null;
        };
        DeliveryAttempt: {
            /** Format: int64 */
            number: number;
            /** Format: date-time */
            at: string;
            /** Format: int64 */
            duration_ms: number;
            status_code: number | null;
            error: ("blocked" | "dns" | "connect" | "tls" | "timeout" | "http_status" | "template" | "mail" | "unconfirmed" | "mail_budget" | "circuit_open" | "overloaded" | "channel_off" | "internal") | null;
            response: string | null;
        };
        NotificationLogDetail: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            channel_id: string;
            channel_name: string;
            channel_type: components["schemas"]["ChannelType"];
            event: string;
            /** @enum {string} */
            status: "pending" | "held" | "retrying" | "delivered" | "failed";
            managed_tenant_id: string | null;
            monitor_id: string | null;
            attempts: components["schemas"]["DeliveryAttempt"][];
            next_attempt_at: string | null;
            is_replayable: boolean;
            /** Format: date-time */
            created_at: string;
            finished_at: string | null;
            payload: {
                [key: string]: unknown;
            } | null;
        };
        NotificationRule: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            channel_id: string;
            event_types: string[];
            monitor_filter: {
                monitor_ids: string[];
                tags: string[];
                types: string[];
            } | null;
            tenant_filter: {
                tenant_ids: string[];
                labels: string[];
            } | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        EventType: {
            name: string;
            description: string;
            alias_of: string | null;
            example: {
                [key: string]: unknown;
            };
        };
        OnCallSchedule: {
            /** Format: uuid */
            id: string;
            name: string;
            timezone: string;
            rotations: components["schemas"]["OnCallRotation"][];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        OnCallRotation: {
            /** Format: uuid */
            id: string;
            name: string;
            /** Format: int64 */
            order: number;
            users: string[];
            handoff: components["schemas"]["HandoffKind"];
            shift_minutes: number | null;
            first_handoff_at: string;
            restrictions: {
                days: components["schemas"]["Weekday"][];
                from: string;
                to: string;
            }[];
            starts_at: string | null;
            ends_at: string | null;
        };
        OnCallCalendar: {
            /** Format: date-time */
            created_at: string;
        };
        OnCallCalendarAddress: {
            url: string;
            /** Format: date-time */
            created_at: string;
        };
        OnCallNow: {
            /** Format: uuid */
            schedule_id: string;
            /** Format: date-time */
            at: string;
            user: components["schemas"]["OnCallPerson"] | null;
            source: ("rotation" | "override") | null;
            rotation_id: string | null;
            override_id: string | null;
            until: string | null;
            next_user: components["schemas"]["OnCallPerson"] | null;
            next_at: string | null;
            gaps: components["schemas"]["OnCallGap"][];
            unreachable: components["schemas"]["OnCallPerson"][];
        };
        OnCallPerson: {
            /** Format: uuid */
            user_id: string;
            name: string;
            is_reachable: boolean;
        };
        OnCallGap: {
            /** Format: date-time */
            starts_at: string;
            /** Format: date-time */
            ends_at: string;
        };
        OnCallOverride: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            user_id: string;
            replaces_user_id: string | null;
            /** Format: date-time */
            starts_at: string;
            /** Format: date-time */
            ends_at: string;
            reason: string | null;
            created_by: string | null;
            /** Format: date-time */
            created_at: string;
        };
        OnCallPreview: {
            /** Format: uuid */
            schedule_id: string;
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            shifts: components["schemas"]["OnCallShift"][];
            gaps: components["schemas"]["OnCallGap"][];
            users: components["schemas"]["OnCallPerson"][];
            unreachable: components["schemas"]["OnCallPerson"][];
        };
        OnCallShift: {
            /** Format: uuid */
            user_id: string;
            /** Format: date-time */
            starts_at: string;
            /** Format: date-time */
            ends_at: string;
            source: ("rotation" | "override") | null;
            rotation_id: string | null;
            override_id: string | null;
        };
        Plan: {
            plan: string;
            on_trial: boolean;
            /** Format: date-time */
            trial_ends_at: string | null;
            limits: components["schemas"]["PresentPlanLimits"];
            usage: {
                /** Format: int64 */
                monitors: number;
                /** Format: int64 */
                agent_limit: number;
                /** Format: int64 */
                checks: number;
                /** Format: int64 */
                team_members: number;
                /** Format: int64 */
                pending_invitations: number;
                /** Format: int64 */
                api_keys: number;
                /** Format: int64 */
                maintenance_windows: number;
                /** Format: int64 */
                status_pages: number;
                /** Format: int64 */
                escalation_policies: number;
                /** Format: int64 */
                subscribers: number;
            };
            upsell: components["schemas"]["Upsell"];
        };
        PresentPlanLimits: {
            monitors: number | null;
            status_pages: number | null;
            team_members: number | null;
            pending_invitations: number | null;
            api_keys: number | null;
            subscribers: number | null;
            maintenance_windows: number | null;
            escalation_policies: number | null;
            regions_per_monitor: number | null;
            crawl_pages: number | null;
            mails_per_day: number | null;
            /** Format: int32 */
            agent_limit: number;
            /** Format: int32 */
            min_check_interval: number;
            /** Format: int32 */
            data_retention_days: number;
            cron_heartbeats: boolean;
            server_monitoring: boolean;
            lighthouse_audits: boolean;
            geo_audits: boolean;
            site_crawls: boolean;
            web_vitals: boolean;
            custom_domains: boolean;
            on_call_schedules: boolean;
            white_label_branding: boolean;
            custom_smtp: boolean;
            sso: boolean;
            api_access: components["schemas"]["ApiAccess"];
            notification_channels: components["schemas"]["ChannelType"][];
        };
        Upsell: {
            mode: components["schemas"]["UpsellMode"];
            cta: components["schemas"]["UpsellCta"];
            threshold: number;
            plan_label: string;
            plan_labels: {
                [key: string]: string;
            };
            offers: {
                [key: string]: {
                    label: string;
                    url: string | null;
                };
            };
            suggested_plan: string | null;
            url: string | null;
            features: {
                feature: string;
                /** @enum {string} */
                state: "near" | "reached" | "locked";
                current: number | null;
                limit: number | null;
                suggested_plan: string | null;
                label: string | null;
                url: string | null;
            }[];
        };
        KeptMonitors: {
            limit: number | null;
            chosen: string[];
            kept: string[];
            on_hold: string[];
        };
        DeadEvent: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "event" | "workflow" | "signal";
            name: string;
            /** Format: uuid */
            tenant_id: string;
            monitor_id: string | null;
            /** Format: int64 */
            attempts: number;
            reason: string | null;
            /** Format: date-time */
            created_at: string;
            died_at: string | null;
            is_replayable: boolean;
        };
        PlatformHealth: {
            /** @enum {string} */
            state: "ok" | "degraded";
            parts: {
                /** @enum {string} */
                name: "api" | "ingest" | "worker" | "postgres" | "clickhouse" | "temporal";
                /** @enum {string} */
                state: "ok" | "degraded" | "unavailable";
                why: string | null;
                latency_ms: number | null;
            }[];
            outbox: {
                /** Format: int64 */
                waiting: number;
                oldest_seconds: number;
                /** Format: int64 */
                dead: number;
            };
            mails: {
                /** Format: int64 */
                waiting: number;
                oldest_seconds: number;
            };
            deliveries: {
                /** Format: int64 */
                waiting: number;
                oldest_seconds: number;
            };
            /** Format: int64 */
            quarantined_rows: number;
            ingest_lag_ms: number | null;
            rollup_mismatch: number | null;
            processes: {
                /** Format: uuid */
                id: string;
                roles: ("api" | "ingest" | "worker" | "pages")[];
                host: string;
                version: string;
                is_reporting: boolean;
                /** Format: date-time */
                started_at: string;
                /** Format: date-time */
                reported_at: string;
                event_loop_delay_ms: number;
                /** Format: int64 */
                memory_bytes: number;
                not_ready: {
                    [key: string]: string;
                };
            }[];
            /** Format: date-time */
            measured_at: string;
        };
        PlatformInfo: {
            version: string;
            node_version: string;
            postgres: {
                version: string;
                migrations: {
                    name: string;
                    /** Format: date-time */
                    applied_at: string;
                }[];
            };
            clickhouse: {
                version: string;
                migrations: {
                    name: string;
                    /** Format: date-time */
                    applied_at: string;
                }[];
            } | null;
            configuration: {
                base_url: string;
                postgres: string | null;
                clickhouse: string | null;
                temporal: {
                    address: string | null;
                    namespace: string;
                };
                mail: {
                    host: string;
                    /** Format: int64 */
                    port: number;
                    is_tls: boolean;
                    from: string;
                } | null;
                /** @enum {string} */
                billing: "none" | "manual" | "stripe";
                sign_up: boolean;
                hsts: string | null;
                egress_allow: string;
                egress_deny: string;
                /** Format: int64 */
                trusted_proxies: number;
                cors_origins: string[];
                /** Format: int64 */
                tenant_rate: number;
                has_pages_folder: boolean;
                has_breached_passwords: boolean;
                /** Format: int64 */
                earlier_secret_keys: number;
                log_level: string;
                /** Format: int64 */
                database_pool: number;
            };
        };
        QuarantinedRow: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "agent" | "billing_event" | "check" | "check_facts" | "crawl_run" | "custom_domain" | "delivery" | "digest" | "durable_step" | "escalation_run" | "flapping" | "heartbeat" | "mail" | "maintenance_window" | "monitor_status" | "monthly_report" | "notification_channel" | "notification_rule" | "on_call_schedule" | "ping_retention" | "purged_tenant" | "pushed_report" | "result" | "server" | "server_metrics" | "smtp_server" | "storm" | "sso_domain" | "stored_secret" | "subscriber_mailing" | "subscriber_message" | "suppressed_incident" | "suppressed_warning" | "usage" | "verdict" | "verdict_write" | "web_vitals";
            key: string;
            tenant_id: string | null;
            reason: string;
            effect: string;
            /** Format: int64 */
            attempts: number;
            /** Format: date-time */
            since: string;
            /** Format: date-time */
            last_tried_at: string;
            /** Format: date-time */
            next_try_at: string;
        };
        PlatformRegion: {
            name: string;
            is_reporting: boolean;
            /** Format: int64 */
            agents_count: number;
            /** Format: int64 */
            monitors_count: number;
            /** Format: int64 */
            enrolment_tokens_count: number;
            /** Format: date-time */
            created_at: string;
            retired_at: string | null;
        };
        Portal: {
            slug: string | null;
            is_enabled: boolean;
            support_email: string | null;
            url: string;
            sign_up: {
                is_enabled: boolean;
                plan: components["schemas"]["PlanName"] | null;
                profile_id: string | null;
                allowed_email_domains: string[];
                is_open: boolean;
            };
        };
        Profile: {
            /** Format: uuid */
            id: string;
            name: string;
            email: string;
            email_verified_at: string | null;
            language: string;
            timezone: string;
            /** @enum {string} */
            digest: "off" | "daily" | "weekly";
            monthly_report: boolean;
            handover_mails: boolean;
            mfa_enabled: boolean;
            auth_methods: ("password" | "totp" | "passkey")[];
            password_changed_at: string | null;
            teams: {
                /** Format: uuid */
                tenant_id: string;
                name: string;
                role: components["schemas"]["Role"];
                /** Format: date-time */
                joined_at: string;
            }[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        Erasure: {
            /** Format: uuid */
            erasure_id: string;
            /** Format: uuid */
            user_id: string;
            /** Format: date-time */
            erased_at: string;
        };
        ContactMethod: {
            /** Format: uuid */
            id: string;
            name: string;
            type: components["schemas"]["ChannelType"];
            config: {
                [key: string]: unknown;
            };
            /** Format: int64 */
            position: number;
            is_account: boolean;
            is_enabled: boolean;
            verified: boolean;
            held_by_plan: boolean;
            is_failing: boolean;
            failing_since: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        Passkey: {
            /** Format: uuid */
            id: string;
            name: string;
            rp_id: string;
            transports: string[];
            is_backup_eligible: boolean;
            is_backed_up: boolean;
            aaguid: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            last_used_at: string | null;
        };
        PasskeyRegistrationOptions: {
            rp: {
                id: string;
                name: string;
            };
            user: {
                id: string;
                name: string;
                displayName: string;
            };
            challenge: string;
            pubKeyCredParams: {
                /** @constant */
                type: "public-key";
                /** Format: int64 */
                alg: number;
            }[];
            /** Format: int64 */
            timeout: number;
            /** @constant */
            attestation: "none";
            excludeCredentials: {
                id: string;
                /** @constant */
                type: "public-key";
                transports: string[];
            }[];
            authenticatorSelection: {
                /** @constant */
                residentKey: "required";
                requireResidentKey: boolean;
                /** @constant */
                userVerification: "required";
            };
        };
        Session: {
            /** Format: uuid */
            id: string;
            device_name: string;
            /** Format: uuid */
            tenant_id: string;
            is_browser: boolean;
            auth_method: ("password" | "passkey" | "login_link" | "partner_sso" | "oidc" | "saml") | null;
            is_current: boolean;
            /** Format: date-time */
            created_at: string;
            last_used_at: string | null;
            last_used_ip: string | null;
            expires_at: string | null;
        };
        TrustedDevice: {
            /** Format: uuid */
            id: string;
            name: string;
            /** Format: date-time */
            created_at: string;
            last_used_at: string | null;
            last_used_ip: string | null;
            /** Format: date-time */
            expires_at: string;
        };
        Region: {
            name: string;
            is_reporting: boolean;
        };
        EmailSuppression: {
            suppressed_types: components["schemas"]["MailType"][];
            effective_types: components["schemas"]["MailType"][];
            suppressible_types: components["schemas"]["MailType"][];
            updated_at: string | null;
        };
        ManagedTeam: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            tenant_id: string;
            public_id: string;
            external_ref: string | null;
            name: string;
            slug: string;
            plan: string;
            label: string | null;
            metadata: {
                [key: string]: unknown;
            };
            /** Format: int64 */
            monitors_count: number;
            /** Format: int64 */
            monitors_down_count: number;
            /** Format: int64 */
            monitors_up_count: number;
            is_paused: boolean;
            paused_at: string | null;
            paused_reason: string | null;
            on_trial: boolean;
            trial_ends_at: string | null;
            deleted_at: string | null;
            days_until_purge: number | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        MonitorConnection: {
            /** Format: uuid */
            monitor_id: string;
            name: string;
            /** @enum {string} */
            type: "cron" | "agent";
            ping_url: string | null;
            plain_text_token: string | null;
            install: components["schemas"]["AgentInstall"] | null;
        };
        FeatureOverridesOfTeam: {
            plan: string;
            overrides: components["schemas"]["FeatureOverridesOutput"];
            effective_limits: components["schemas"]["PlanLimits"];
        };
        PlanLimits: {
            monitors: number | null;
            status_pages: number | null;
            team_members: number | null;
            pending_invitations: number | null;
            api_keys: number | null;
            subscribers: number | null;
            maintenance_windows: number | null;
            escalation_policies: number | null;
            regions_per_monitor: number | null;
            crawl_pages: number | null;
            sms_credits: number | null;
            mails_per_day: number | null;
            /** Format: int32 */
            agent_limit: number;
            /** Format: int32 */
            min_check_interval: number;
            /** Format: int32 */
            data_retention_days: number;
            cron_heartbeats: boolean;
            server_monitoring: boolean;
            lighthouse_audits: boolean;
            geo_audits: boolean;
            site_crawls: boolean;
            web_vitals: boolean;
            custom_domains: boolean;
            on_call_schedules: boolean;
            white_label_branding: boolean;
            custom_smtp: boolean;
            sso: boolean;
            api_access: components["schemas"]["ApiAccess"];
            notification_channels: components["schemas"]["ChannelType"][];
        };
        ImpersonationToken: {
            /** Format: uuid */
            id: string;
            name: string;
            scopes: ("read" | "write")[];
            /** Format: date-time */
            expires_at: string;
            /** Format: uuid */
            impersonated_by_user_id: string;
            /** Format: date-time */
            created_at: string;
        };
        PartnerSso: {
            enabled: boolean;
            has_shared_secret: boolean;
            hide_password_login: boolean;
            auto_register: boolean;
        };
        SecurityPolicy: {
            mfa_required: boolean;
            /** Format: int64 */
            mfa_grace_days: number;
            mfa_required_at: string | null;
            mfa_due_at: string | null;
            /** Format: int64 */
            members_without_mfa: number;
            updated_at: string | null;
        };
        SmtpConfig: {
            host: string;
            /** @enum {number} */
            port: 25 | 465 | 587 | 2525;
            /** @enum {string} */
            encryption: "tls" | "ssl";
            username: string | null;
            password: "********" | null;
            from_address: string | null;
            from_name: string | null;
            is_active: boolean;
            failing_since: string | null;
            failure: ("blocked" | "dns" | "connect" | "timeout" | "tls" | "auth" | "sender" | "recipient" | "refused" | "protocol") | null;
            /** Format: date-time */
            updated_at: string;
        };
        SmtpTest: {
            success: boolean;
        };
        SsoLink: {
            /** Format: uri */
            sso_url: string;
            /** Format: int64 */
            expires_in_seconds: number;
            /** Format: email */
            user_email: string;
            user_exists: boolean;
        };
        StatusPageTemplate: {
            /** Format: uuid */
            id: string;
            name: string;
            phase: components["schemas"]["IncidentStatus"];
            title: string | null;
            body: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        FilledStatusPageTemplate: {
            phase: components["schemas"]["IncidentStatus"];
            title: string | null;
            body: string;
        };
        StatusPage: {
            /** Format: uuid */
            id: string;
            name: string;
            slug: string;
            url: string;
            description: string;
            state: components["schemas"]["StatusPageState"];
            access: components["schemas"]["StatusPageAccess"];
            has_password: boolean;
            allowed_email_domains: string[];
            allowed_ips: string[];
            locale: components["schemas"]["Language"];
            locales: components["schemas"]["Language"][];
            timezone: string;
            /** Format: int64 */
            history_days: number;
            show_uptime: boolean;
            show_response: boolean;
            show_values: boolean;
            uptime_mode: components["schemas"]["UptimeMode"];
            /** Format: int64 */
            min_incident_minutes: number;
            noindex: boolean;
            hide_powered_by: boolean | null;
            theme: components["schemas"]["StatusPageTheme"];
            primary_color: string | null;
            logo_url: string | null;
            logo_url_dark: string | null;
            header_links: {
                label: string;
                url: string;
            }[];
            footer_links: {
                label: string;
                url: string;
            }[];
            texts: {
                en?: {
                    name?: string;
                    description?: string;
                    announcement?: string;
                    footer?: string;
                };
                de?: {
                    name?: string;
                    description?: string;
                    announcement?: string;
                    footer?: string;
                };
            };
            /** Format: date-time */
            content_changed_at: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        StatusPageTextPreview: {
            html: string;
        };
        StatusPageDetail: {
            /** Format: uuid */
            id: string;
            name: string;
            slug: string;
            url: string;
            description: string;
            state: components["schemas"]["StatusPageState"];
            access: components["schemas"]["StatusPageAccess"];
            has_password: boolean;
            allowed_email_domains: string[];
            allowed_ips: string[];
            locale: components["schemas"]["Language"];
            locales: components["schemas"]["Language"][];
            timezone: string;
            /** Format: int64 */
            history_days: number;
            show_uptime: boolean;
            show_response: boolean;
            show_values: boolean;
            uptime_mode: components["schemas"]["UptimeMode"];
            /** Format: int64 */
            min_incident_minutes: number;
            noindex: boolean;
            hide_powered_by: boolean | null;
            theme: components["schemas"]["StatusPageTheme"];
            primary_color: string | null;
            logo_url: string | null;
            logo_url_dark: string | null;
            header_links: {
                label: string;
                url: string;
            }[];
            footer_links: {
                label: string;
                url: string;
            }[];
            texts: {
                en?: {
                    name?: string;
                    description?: string;
                    announcement?: string;
                    footer?: string;
                };
                de?: {
                    name?: string;
                    description?: string;
                    announcement?: string;
                    footer?: string;
                };
            };
            /** Format: date-time */
            content_changed_at: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            groups: components["schemas"]["StatusPageGroup"][];
            components: components["schemas"]["StatusPageComponent"][];
        };
        StatusPageGroup: {
            /** Format: uuid */
            id: string;
            name: string;
            /** Format: int64 */
            position: number;
            is_open: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        StatusPageComponent: {
            /** Format: uuid */
            id: string;
            type: components["schemas"]["ComponentType"];
            monitor_id: string | null;
            monitor_group: string | null;
            static_status: components["schemas"]["SettableStatus"] | null;
            name: string;
            description: string;
            group_id: string | null;
            /** Format: int64 */
            position: number;
            show_history: boolean;
            status_when_down: components["schemas"]["DownStatus"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        StatusPagePost: {
            /** Format: uuid */
            id: string;
            incident_id: string | null;
            title: string;
            impact: components["schemas"]["Impact"];
            phase: components["schemas"]["IncidentStatus"];
            counts_as_downtime: boolean;
            components: {
                /** Format: uuid */
                component_id: string;
                status: components["schemas"]["SettableStatus"];
            }[];
            /** Format: date-time */
            started_at: string;
            resolved_at: string | null;
            postmortem: string | null;
            postmortem_published_at: string | null;
            created_by: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        StatusPageUpdate: {
            /** Format: uuid */
            id: string;
            phase: components["schemas"]["IncidentStatus"];
            body: string;
            /** Format: date-time */
            at: string;
            notify_subscribers: boolean;
            created_by: string | null;
            /** Format: date-time */
            updated_at: string;
        };
        StatusPageSubscriber: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            channel: "email" | "webhook" | "slack";
            address: string | null;
            component_ids: string[];
            locale: components["schemas"]["Language"];
            /** @enum {string} */
            state: "pending" | "active" | "unsubscribed";
            /** @enum {string} */
            source: "self" | "admin" | "import";
            confirmed_at: string | null;
            unsubscribed_at: string | null;
            /** Format: date-time */
            created_at: string;
        };
        StatusPageSubscriberCounts: {
            /** Format: int64 */
            pending: number;
            /** Format: int64 */
            active: number;
            /** Format: int64 */
            unsubscribed: number;
        };
        SubscriberImport: {
            /** Format: int64 */
            added: number;
            /** Format: int64 */
            existing: number;
            /** Format: int64 */
            refused: number;
            problems: {
                /** Format: int64 */
                line: number;
                message: string;
            }[];
        };
        TeamSummary: {
            /** Format: int64 */
            monitors_count: number;
            /** Format: int64 */
            monitors_up: number;
            /** Format: int64 */
            monitors_down: number;
            /** Format: int64 */
            active_incidents: number;
            /** Format: int64 */
            notification_channels_count: number;
            /** Format: int64 */
            status_pages_count: number;
            /** Format: int64 */
            members_count: number;
        };
        Tag: {
            name: string;
            /** Format: int64 */
            monitors_count: number;
        };
        TeamUsage: {
            /** Format: uuid */
            tenant_id: string;
            period: string;
            /** Format: int64 */
            monitors_count: number;
            /** Format: int64 */
            checks_count: number;
            /** Format: int64 */
            api_requests_count: number;
            /** Format: int64 */
            notifications_sent_count: number;
            /** Format: int64 */
            webhook_deliveries_count: number;
        };
        MonitorTemplate: {
            /** Format: uuid */
            id: string;
            name: string;
            monitors: {
                name_template: string;
                url_template: string | null;
                type: components["schemas"]["MonitorType"];
                check_interval: number | null;
                tags: string[];
                /** @default null */
                slo: components["schemas"]["SloOutput"] | null;
                /** @default [] */
                secret_hosts: string[];
                checks: {
                    type: components["schemas"]["CheckType"];
                    settings: {
                        [key: string]: unknown;
                    };
                    interval?: number | null;
                    severity?: components["schemas"]["CheckSeverity"];
                    is_enabled: boolean;
                }[];
            }[];
            variables: components["schemas"]["TemplateVariableOutput"][];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        ResellerOverview: {
            teams: {
                /** Format: int64 */
                total: number;
                /** Format: int64 */
                active: number;
                /** Format: int64 */
                paused: number;
                /** Format: int64 */
                on_trial: number;
                /** Format: int64 */
                with_incidents: number;
                /** Format: int64 */
                trashed: number;
            };
            monitors: {
                /** Format: int64 */
                total: number;
                /** Format: int64 */
                up: number;
                /** Format: int64 */
                down: number;
            };
            /** Format: int64 */
            members: number;
            open_incidents: {
                /** Format: int64 */
                total: number;
                /** Format: int64 */
                critical: number;
                /** Format: int64 */
                major: number;
                /** Format: int64 */
                minor: number;
            };
            worst_teams: {
                /** Format: uuid */
                id: string;
                /** Format: uuid */
                tenant_id: string;
                name: string;
                label: string | null;
                is_paused: boolean;
                /** Format: int64 */
                monitors_count: number;
                /** Format: int64 */
                monitors_down_count: number;
                /** Format: int64 */
                open_incidents_count: number;
            }[];
            incidents: {
                /** Format: uuid */
                incident_id: string;
                /** Format: uuid */
                managed_team_id: string;
                /** Format: uuid */
                tenant_id: string;
                team_name: string;
                /** Format: uuid */
                monitor_id: string;
                monitor_name: string;
                monitor_url: string;
                title: string;
                status: string;
                severity: components["schemas"]["Severity"];
                /** Format: date-time */
                started_at: string;
                acknowledged_at: string | null;
            }[];
        };
        ProvisioningProfile: {
            /** Format: uuid */
            id: string;
            name: string;
            plan: components["schemas"]["PlanName"];
            trial_days: number | null;
            feature_overrides: components["schemas"]["FeatureOverridesOutput"];
            branding: components["schemas"]["ProfileBranding"];
            monitor_template_id: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        ResellerWebhook: {
            /** Format: uuid */
            id: string;
            name: string;
            url: string;
            secret: "********" | null;
            events: string[];
            tenant_filter: {
                tenant_ids: string[];
                labels: string[];
            } | null;
            is_enabled: boolean;
            is_failing: boolean;
            failing_since: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        ScimToken: {
            /** Format: uuid */
            id: string;
            name: string;
            masked_token: string;
            created_by: string | null;
            last_used_at: string | null;
            /** Format: date-time */
            created_at: string;
        };
        Setup: {
            is_open: boolean;
            installation: {
                base_url: string;
                has_mail_server: boolean;
                regions: string[];
            } | null;
        };
        SsoAttempt: {
            /** Format: uuid */
            id: string;
            user_id: string | null;
            /** @enum {string} */
            outcome: "signed_in" | "blocked" | "unreachable" | "timeout" | "bad_answer" | "issuer_mismatch" | "client_refused" | "provider_refused" | "token_invalid" | "state_invalid" | "email_missing" | "email_unverified" | "domain_unverified" | "not_a_member" | "member_disabled" | "no_seat" | "staff" | "team_suspended" | "sso_off";
            detail: string | null;
            request_id: string | null;
            /** Format: date-time */
            created_at: string;
        };
        SsoConfig: {
            /** @enum {string} */
            protocol: "oidc" | "saml";
            issuer: string;
            client_id: string;
            client_secret: "********" | null;
            scopes: string[];
            groups_claim: string | null;
            role_map: {
                [key: string]: "admin" | "member" | "viewer";
            };
            /** @enum {string} */
            default_role: "admin" | "member" | "viewer";
            is_jit: boolean;
            is_enabled: boolean;
            is_enforced: boolean;
            break_glass_user_id: string | null;
            sign_in_url: string | null;
            certificates: string[];
            email_attribute: string | null;
            /** Format: uri */
            redirect_uri: string;
            post_logout_redirect_uri: string | null;
            backchannel_logout_uri: string | null;
            /** Format: uri */
            login_url: string;
            /** Format: date-time */
            updated_at: string;
        };
        SsoTest: {
            is_working: boolean;
            problems: components["schemas"]["SsoProblem"][];
        };
        SsoProblem: {
            field: string;
            cause: string;
            remedy: string;
        };
        SsoDomain: {
            /** Format: uuid */
            id: string;
            domain: string;
            is_verified: boolean;
            dns: {
                txt_name: string;
                txt_value: string;
            };
            last_error: ("txt_missing" | "txt_wrong" | "dns_unanswered" | "taken") | null;
            verified_at: string | null;
            last_checked_at: string | null;
            next_check_at: string | null;
            /** Format: date-time */
            created_at: string;
        };
        StatusPageSubscription: {
            page_name: string;
            /** @enum {string} */
            state: "pending" | "active" | "unsubscribed";
            locale: components["schemas"]["Language"];
            component_ids: string[];
            components: {
                /** Format: uuid */
                id: string;
                name: string;
            }[];
        };
        Tenant: {
            /** Format: uuid */
            id: string;
            name: string;
            slug: string;
            plan: components["schemas"]["PlanName"];
            is_reseller: boolean;
            reseller_id: string | null;
            managed_team_id: string | null;
            is_suspended: boolean;
            suspended_at: string | null;
            suspended_reason: string | null;
            is_paused: boolean;
            deleted_at: string | null;
            /** Format: int64 */
            monitors_count: number;
            /** Format: int64 */
            members_count: number;
            owners: {
                /** Format: uuid */
                user_id: string;
                name: string;
                email: string;
            }[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        SloOutput: {
            target_pct: number;
            /**
             * Format: int32
             * @default 30
             */
            window_days: number;
        };
        ServerThresholdOutput: {
            metric: components["schemas"]["ServerMetric"];
            above: number;
            /**
             * Format: int32
             * @default 5
             */
            for_minutes: number;
            /** @default warning */
            severity: components["schemas"]["ThresholdSeverity"];
            /** @default null */
            label: string | null;
        };
        FeatureOverridesOutput: {
            monitors?: number | null;
            status_pages?: number | null;
            team_members?: number | null;
            pending_invitations?: number | null;
            api_keys?: number | null;
            subscribers?: number | null;
            maintenance_windows?: number | null;
            escalation_policies?: number | null;
            regions_per_monitor?: number | null;
            crawl_pages?: number | null;
            sms_credits?: number | null;
            mails_per_day?: number | null;
            /** Format: int32 */
            agent_limit?: number;
            /** Format: int32 */
            min_check_interval?: number;
            /** Format: int32 */
            data_retention_days?: number;
            cron_heartbeats?: boolean;
            server_monitoring?: boolean;
            lighthouse_audits?: boolean;
            geo_audits?: boolean;
            site_crawls?: boolean;
            web_vitals?: boolean;
            custom_domains?: boolean;
            on_call_schedules?: boolean;
            white_label_branding?: boolean;
            custom_smtp?: boolean;
            sso?: boolean;
            api_access?: components["schemas"]["ApiAccess"];
            notification_channels?: components["schemas"]["ChannelType"][];
        };
        TemplateVariableOutput: {
            name: string;
            /** @default true */
            required: boolean;
            /** @default null */
            description: string | null;
            /** @default null */
            default: string | null;
        };
        CheckResultEvent: {
            /** @constant */
            event: "check.result";
            /** Format: date-time */
            timestamp: string;
            /** Format: uuid */
            check_id: string;
            /** Format: uuid */
            monitor_id: string;
            region: string;
            /** Format: date-time */
            at: string;
            /** Format: date-time */
            due_at: string;
            /** Format: int64 */
            attempt: number;
            outcome: components["schemas"]["Outcome"];
            error_code: string | null;
            summary: string | null;
            phases: components["schemas"]["Phases"];
            http_status: number | null;
            is_suspect: boolean;
        };
        IncidentEvidence: {
            error_code: string | null;
            http_status: number | null;
            phase: ("dns" | "tcp" | "tls" | "ttfb") | null;
            snippet: string | null;
        };
        MonitorStatusEvent: {
            /** @constant */
            event: "monitor.status";
            /** Format: date-time */
            timestamp: string;
            /** Format: uuid */
            monitor_id: string;
            status: string | null;
            since: string | null;
        };
        NewNotificationChannel: components["schemas"]["NewWebhookChannel"] | components["schemas"]["NewEmailChannel"] | components["schemas"]["NewSlackChannel"] | components["schemas"]["NewDiscordChannel"] | components["schemas"]["NewMicrosoftTeamsChannel"] | components["schemas"]["NewPagerdutyChannel"] | components["schemas"]["NewTelegramChannel"] | components["schemas"]["NewCustomChannel"];
        NotificationChannel: components["schemas"]["WebhookChannel"] | components["schemas"]["EmailChannel"] | components["schemas"]["SlackChannel"] | components["schemas"]["DiscordChannel"] | components["schemas"]["MicrosoftTeamsChannel"] | components["schemas"]["PagerdutyChannel"] | components["schemas"]["TelegramChannel"] | components["schemas"]["CustomChannel"];
        NotificationChannelChanges: {
            name?: string;
            is_enabled?: boolean;
            config?: {
                url?: string;
                secret?: string | null;
                recipients?: string[];
                language?: components["schemas"]["Language"] | null;
                timezone?: string | null;
                webhook_url?: string;
                routing_key?: string;
                bot_token?: string;
                chat_id?: string | number;
                preset?: ("ntfy" | "pushover" | "mattermost" | "google_chat" | "opsgenie" | "twilio_sms" | "sms_gateway") | null;
                /**
                 * @default POST
                 * @enum {string}
                 */
                method: "POST" | "PUT" | "PATCH" | "GET";
                /** @default {} */
                headers: {
                    [key: string]: string;
                };
                /** @default application/json */
                content_type: string;
                /**
                 * @default {
                 *       "event": {{ event | json }},
                 *       "phase": {{ phase | json }},
                 *       "alert_id": {{ alert_id | json }},
                 *       "title": {{ title | json }},
                 *       "text": {{ text | json }},
                 *       "url": {{ details_url | json }}
                 *     }
                 */
                body_template: string;
                /** @default {} */
                fields: {
                    [key: string]: string;
                };
            };
        };
        ProfileBranding: {
            brand_name?: string | null;
            alert_prefix?: string | null;
            logo_url?: string | null;
            logo_url_dark?: string | null;
            symbol_url?: string | null;
            favicon_url?: string | null;
            footer_url?: string | null;
            privacy_url?: string | null;
            imprint_url?: string | null;
            upgrade_url?: string | null;
            support_url?: string | null;
            primary_color?: string | null;
            secondary_color?: string | null;
            footer_text?: string | null;
            hide_powered_by?: boolean | null;
            notification_from_name?: string | null;
            upsell_mode?: components["schemas"]["UpsellMode"] | null;
            upsell_cta?: components["schemas"]["UpsellCta"] | null;
            plan_labels?: {
                free?: string;
                hobby?: string;
                starter?: string;
                pro?: string;
            } | null;
            upsell_offers?: {
                [key: string]: {
                    label: string;
                    /** @default null */
                    url: string | null;
                };
            } | null;
            upsell_threshold?: number | null;
        };
        QuorumProof: {
            policy: {
                /** @enum {string} */
                mode: "any" | "majority" | "all" | "count" | "direct";
                count: number | null;
            };
            /** Format: int64 */
            required: number;
            asked: string[];
            failed: string[];
            ok: string[];
            silent: string[];
            excluded: {
                region: string;
                why: string;
            }[];
            regions: {
                [key: string]: components["schemas"]["RegionProof"];
            };
        };
        TelegramChannel: {
            /** Format: uuid */
            id: string;
            name: string;
            is_enabled: boolean;
            held_by_plan: boolean;
            is_failing: boolean;
            failing_since: string | null;
            recipients: {
                email: string;
                state: components["schemas"]["RecipientState"];
            }[] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "telegram";
            config: {
                bot_token?: "********" | "" | null;
                chat_id?: string;
                language?: components["schemas"]["Language"] | null;
                timezone?: string | null;
            };
        };
        AgentMonitorsReportOtlpRequest: {
            resourceMetrics?: {
                [key: string]: unknown;
            }[];
        } & {
            [key: string]: unknown;
        };
        PingAnswerResponse: {
            data: components["schemas"]["PingAnswer"];
        };
        AgentMonitorList: {
            data: components["schemas"]["AgentMonitor"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["OffsetMeta"];
        };
        AgentMonitorsCreateReply: {
            data: components["schemas"]["AgentMonitor"];
            plain_text_token: string;
            install: components["schemas"]["AgentInstall"];
        };
        AgentMonitorResponse: {
            data: components["schemas"]["AgentMonitor"];
        };
        AgentMonitorsMetricsListReply: {
            data: components["schemas"]["ServerSeries"][];
            meta: {
                /** Format: date-time */
                from: string;
                /** Format: date-time */
                to: string;
                resolution: components["schemas"]["Resolution"];
            };
        };
        AgentMonitorsRotateTokenRequest: {
            /** @default false */
            revoke: boolean;
        };
        AgentMonitorsRotateTokenReply: {
            data: components["schemas"]["AgentMonitor"];
            plain_text_token: string;
            /** Format: date-time */
            old_works_until: string | null;
            install: components["schemas"]["AgentInstall"];
        };
        AgentList: {
            data: components["schemas"]["Agent"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["OffsetMeta"];
        };
        AgentsEnrolmentTokensCreateRequest: {
            /** @default null */
            region: string | null;
        };
        AgentsEnrolmentTokensCreateReply: {
            data: {
                /** Format: uuid */
                id: string;
                token: string;
                region: string | null;
                /** Format: date-time */
                expires_at: string;
            };
        };
        ApiTokenList: {
            data: components["schemas"]["ApiToken"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["OffsetMeta"];
        };
        ApiKeysCreateRequest: {
            name: string;
            scopes: components["schemas"]["TenantScope"][];
            expires_at?: string | null;
            allowed_ips?: string[] | null;
        };
        ApiKeysCreateReply: {
            data: components["schemas"]["ApiToken"];
            plain_text_token: string;
        };
        ApiTokenResponse: {
            data: components["schemas"]["ApiToken"];
        };
        ApiKeysUpdateRequest: {
            name?: string;
            is_active?: boolean;
        };
        ApiKeysRotateRequest: {
            /**
             * Format: int32
             * @default 24
             */
            grace_period_hours: number;
        };
        ApiKeysRotateReply: {
            data: components["schemas"]["ApiToken"];
            plain_text_token: string;
            rotated_from: {
                /** Format: uuid */
                id: string;
                /** Format: date-time */
                expires_at: string;
                /** Format: int64 */
                grace_period_hours: number;
            };
        };
        ApiTokensScopesListReply: {
            data: {
                value: components["schemas"]["TenantScope"];
                description: string;
            }[];
        };
        AuditEntryList: {
            data: components["schemas"]["AuditEntry"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["OffsetMeta"];
        };
        AuditLogFiltersGetReply: {
            data: {
                actions: string[];
                entity_types: string[];
            };
        };
        AuthEmailConfirmRequest: {
            token: string;
        };
        AuthEmailVerifyRequest: {
            token: string;
            password: string;
        };
        AuthLoginRequest: {
            /** Format: email */
            email: string;
            password: string;
            otp_code?: string;
            passkey?: components["schemas"]["PasskeySignIn"];
            /** Format: uuid */
            tenant_id?: string;
            /** @default false */
            remember_device: boolean;
        };
        AuthLoginReply: {
            user: components["schemas"]["User"];
            /** Format: date-time */
            expires_at: string;
        };
        PasskeySignInOptionsResponse: {
            data: components["schemas"]["PasskeySignInOptions"];
        };
        AuthPasskeysSignInRequest: {
            credential: components["schemas"]["PasskeySignIn"];
            /**
             * @default cookie
             * @enum {string}
             */
            as: "cookie" | "token";
            device_name?: string;
            /** Format: uuid */
            tenant_id?: string;
        };
        AuthPasskeysSignInReply: {
            user: components["schemas"]["User"];
            /** Format: date-time */
            expires_at: string;
            token?: string;
        };
        AuthPasswordForgotRequest: {
            /** Format: email */
            email: string;
        };
        AuthPasswordForgotReply: {
            message: string;
        };
        AuthPasswordResetRequest: {
            token: string;
            password: string;
        };
        AuthCreateResellerTokenRequest: {
            name: string;
            scopes: components["schemas"]["ResellerScope"][];
            expires_at?: string | null;
        };
        AuthCreateResellerTokenReply: {
            data: components["schemas"]["ResellerToken"];
            plain_text_token: string;
        };
        AuthSignUpRequest: {
            /** Format: email */
            email: string;
            name: string;
            team_name: string;
            /** @default en */
            language: components["schemas"]["Language"];
            altcha: string;
            portal?: string;
        };
        AuthCompleteSignUpReply: {
            user: components["schemas"]["User"];
        };
        AuthStepUpRequest: {
            password?: string;
            otp_code?: string;
            passkey?: components["schemas"]["PasskeySignIn"];
        };
        AuthStepUpReply: {
            /** Format: date-time */
            fresh_until: string;
        };
        AuthSignInRequest: {
            /** Format: email */
            email: string;
            password: string;
            device_name: string;
            otp_code?: string;
            /** Format: uuid */
            tenant_id?: string;
        };
        AuthSignInReply: {
            token: string;
            user: components["schemas"]["User"];
        };
        BillingResponse: {
            data: components["schemas"]["Billing"];
        };
        BillingCancelRequest: {
            /**
             * @default period_end
             * @enum {string}
             */
            at: "now" | "period_end";
        };
        BillingCheckoutRequest: {
            /** @enum {string} */
            plan: "hobby" | "starter" | "pro";
            /** @default month */
            interval: components["schemas"]["BillingInterval"];
            /** @default /app/billing */
            return_path: string;
        };
        PaymentPageResponse: {
            data: components["schemas"]["PaymentPage"];
        };
        InvoiceList: {
            data: components["schemas"]["Invoice"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["OffsetMeta"];
        };
        InvoiceResponse: {
            data: components["schemas"]["Invoice"];
        };
        BillingPayerUpdateRequest: {
            name?: string | null;
            email?: string | null;
            address?: string | null;
            country?: string | null;
        };
        BillingPlanRequest: {
            /** @enum {string} */
            plan: "hobby" | "starter" | "pro";
            /** @default month */
            interval: components["schemas"]["BillingInterval"];
            /** @enum {string} */
            at?: "now" | "period_end";
        };
        PlanPreviewResponse: {
            data: components["schemas"]["PlanPreview"];
        };
        BillingPortalRequest: {
            /** @default /app/billing */
            return_path: string;
        };
        BillingTakeStripeEventRequest: {
            id: string;
            type: string;
            /** Format: int64 */
            created: number;
            data: {
                object: {
                    [key: string]: unknown;
                };
            };
        };
        BillingTakeStripeEventReply: {
            received: boolean;
        };
        BrandingResponse: {
            data: components["schemas"]["Branding"];
        };
        CaughtMailList: {
            data: components["schemas"]["CaughtMail"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["OffsetMeta"];
        };
        WholeCaughtMailResponse: {
            data: components["schemas"]["WholeCaughtMail"];
        };
        ChecksTimeseriesBatchRequest: {
            check_ids: string[];
            from?: string;
            to?: string;
            bucket?: components["schemas"]["Resolution"];
            /** @default [] */
            regions: string[];
        };
        ChecksTimeseriesBatchReply: {
            data: {
                /** Format: uuid */
                check_id: string;
                points: components["schemas"]["SeriesPoint"][];
            }[];
            meta: components["schemas"]["SeriesMeta"];
        };
        CheckResponse: {
            data: components["schemas"]["Check"];
        };
        ChecksUpdateRequest: {
            settings?: {
                [key: string]: unknown;
            };
            interval?: number | null;
            severity?: components["schemas"]["CheckSeverity"];
            is_enabled?: boolean;
        };
        CheckRunResponse: {
            data: components["schemas"]["CheckRun"];
        };
        CheckResultList: {
            data: components["schemas"]["CheckResult"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["CursorMeta"];
        };
        ChecksSnoozeRequest: {
            /** Format: int32 */
            minutes: number;
            /** @default null */
            reason: string | null;
        };
        ChecksTimeseriesListReply: {
            data: components["schemas"]["SeriesPoint"][];
            meta: components["schemas"]["SeriesMeta"];
        };
        CrawlRunList: {
            data: components["schemas"]["CrawlRun"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["OffsetMeta"];
        };
        CrawlRunResponse: {
            data: components["schemas"]["CrawlRun"];
        };
        CrawlPageList: {
            data: components["schemas"]["CrawlPage"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["CursorMeta"];
        };
        CronMonitorList: {
            data: components["schemas"]["CronMonitor"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["OffsetMeta"];
        };
        CronMonitorResponse: {
            data: components["schemas"]["CronMonitor"];
        };
        ReceivedPingList: {
            data: components["schemas"]["ReceivedPing"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["CursorMeta"];
        };
        PingSnippetList: {
            data: components["schemas"]["PingSnippet"][];
        };
        CustomDomainList: {
            data: components["schemas"]["CustomDomain"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["OffsetMeta"];
        };
        CustomDomainsCreateRequest: {
            hostname: string;
            /**
             * @default status_page
             * @enum {string}
             */
            purpose: "status_page" | "portal";
            /** @default null */
            target_id: string | null;
        };
        CustomDomainResponse: {
            data: components["schemas"]["CustomDomain"];
        };
        CustomDomainsUpdateRequest: {
            target_id?: string | null;
            is_enabled?: boolean;
        };
        DashboardStatsResponse: {
            data: components["schemas"]["DashboardStats"];
        };
        EscalationPolicyList: {
            data: components["schemas"]["EscalationPolicy"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["OffsetMeta"];
        };
        EscalationPolicyResponse: {
            data: components["schemas"]["EscalationPolicy"];
        };
        GeoAuditResponse: {
            data: components["schemas"]["GeoAudit"];
        };
        IncidentList: {
            data: components["schemas"]["Incident"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["CursorMeta"];
        };
        IncidentsAcknowledgeByLinkRequest: {
            token: string;
        };
        LinkedIncidentResponse: {
            data: components["schemas"]["LinkedIncident"];
        };
        IncidentDetailResponse: {
            data: components["schemas"]["IncidentDetail"];
        };
        IncidentsUpdateRequest: {
            title?: string;
            severity?: components["schemas"]["Severity"];
        };
        IncidentResponse: {
            data: components["schemas"]["Incident"];
        };
        IncidentNotificationsList: {
            data: components["schemas"]["IncidentNotifications"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["CursorMeta"];
        };
        IncidentsResolveRequest: {
            message?: string;
        };
        IncidentsSnoozeRequest: {
            /** Format: int32 */
            minutes: number;
        };
        IncidentUpdateList: {
            data: components["schemas"]["IncidentUpdate"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["OffsetMeta"];
        };
        IncidentsUpdatesCreateRequest: {
            /** @enum {string} */
            status: "investigating" | "identified" | "monitoring";
            body: string;
        };
        IncidentUpdateResponse: {
            data: components["schemas"]["IncidentUpdate"];
        };
        InvitationList: {
            data: components["schemas"]["Invitation"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["OffsetMeta"];
        };
        InvitationsCreateRequest: {
            /** Format: email */
            email: string;
            /** @default member */
            role: components["schemas"]["Role"];
        };
        InvitationsCreateReply: {
            data: components["schemas"]["Invitation"];
            plain_text_token: string;
            /** Format: uri */
            accept_url: string;
        };
        InvitationsAcceptRequest: {
            token: string;
            password: string;
            otp_code?: string;
            name?: string;
            /** @default en */
            language: string;
            /** @default Invitation */
            device_name: string;
        };
        InvitationsLookupReply: {
            data: {
                team_name: string;
                email: string;
                role: components["schemas"]["Role"];
                invited_by_name: string | null;
                /** Format: date-time */
                expires_at: string;
                sign_in_url: string | null;
                has_account: boolean | null;
            };
        };
        InvitationResponse: {
            data: components["schemas"]["Invitation"];
        };
        MailBudgetResponse: {
            data: components["schemas"]["MailBudget"];
        };
        MaintenanceWindowList: {
            data: components["schemas"]["MaintenanceWindow"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["OffsetMeta"];
        };
        MaintenanceWindowResponse: {
            data: components["schemas"]["MaintenanceWindow"];
        };
        MaintenanceCalendarResponse: {
            data: components["schemas"]["MaintenanceCalendar"];
        };
        MaintenanceWindowsExtendRequest: {
            /** Format: int32 */
            minutes: number;
        };
        MemberList: {
            data: components["schemas"]["Member"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["OffsetMeta"];
        };
        MemberResponse: {
            data: components["schemas"]["Member"];
        };
        MembersUpdateRequest: {
            role?: components["schemas"]["Role"];
            /** @enum {string} */
            status?: "active" | "disabled";
        };
        MonitorList: {
            data: components["schemas"]["Monitor"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["OffsetMeta"];
        };
        MonitorResponse: {
            data: components["schemas"]["Monitor"];
        };
        MonitorsCreateManyRequest: {
            monitors: components["schemas"]["NewMonitor"][];
        };
        MonitorsCreateManyReply: {
            data: components["schemas"]["Monitor"][];
        };
        MonitorsUpdateManyRequest: {
            monitors: {
                name?: string;
                url?: string;
                tags?: string[];
                group?: string | null;
                notes?: string | null;
                is_enabled?: boolean;
                /** Format: int32 */
                check_interval?: number;
                /** Format: int32 */
                timeout?: number;
                regions?: string[];
                region_policy?: components["schemas"]["RegionPolicy"];
                /** Format: int32 */
                confirmations?: number;
                /** Format: int32 */
                recovery_confirmations?: number;
                depends_on?: string[];
                escalation_policy_id?: string | null;
                external_ref?: string | null;
                metadata?: {
                    [key: string]: string | number | boolean | null;
                };
                slo?: components["schemas"]["Slo"] | null;
                type?: components["schemas"]["WatchedType"];
                /** Format: uuid */
                id: string;
            }[];
        };
        MonitorsStatsBatchRequest: {
            monitor_ids: string[];
        };
        MonitorsStatsBatchReply: {
            data: {
                /** Format: uuid */
                monitor_id: string;
                uptime_30d: number | null;
                avg_response_ms: number | null;
                /** Format: int64 */
                total_checks: number;
            }[];
        };
        MonitorsUptimeBatchRequest: {
            monitor_ids: string[];
            /**
             * Format: int32
             * @default 30
             */
            days: number;
            timezone?: string;
        };
        UptimeByDayResponse: {
            data: components["schemas"]["UptimeByDay"];
        };
        ServerNowResponse: {
            data: components["schemas"]["ServerNow"];
        };
        BrokenLinksReportResponse: {
            data: components["schemas"]["BrokenLinksReport"];
        };
        CertificateReportResponse: {
            data: components["schemas"]["CertificateReport"];
        };
        CheckList: {
            data: components["schemas"]["Check"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["OffsetMeta"];
        };
        DnsHistoryReportResponse: {
            data: components["schemas"]["DnsHistoryReport"];
        };
        DnsblReportResponse: {
            data: components["schemas"]["DnsblReport"];
        };
        DomainExpiryReportResponse: {
            data: components["schemas"]["DomainExpiryReport"];
        };
        MonitorsGeoAuditsCreateRequest: {
            /** Format: uuid */
            check_id?: string;
        };
        GeoAuditItemList: {
            data: components["schemas"]["GeoAuditItem"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["OffsetMeta"];
        };
        HealthReportResponse: {
            data: components["schemas"]["HealthReport"];
        };
        LighthouseReportResponse: {
            data: components["schemas"]["LighthouseReport"];
        };
        MixedContentReportResponse: {
            data: components["schemas"]["MixedContentReport"];
        };
        MonitorPerformanceResponse: {
            data: components["schemas"]["MonitorPerformance"];
        };
        PingReportResponse: {
            data: components["schemas"]["PingReport"];
        };
        RedirectChainReportResponse: {
            data: components["schemas"]["RedirectChainReport"];
        };
        MonitorReportResponse: {
            data: components["schemas"]["MonitorReport"];
        };
        RobotsTxtReportResponse: {
            data: components["schemas"]["RobotsTxtReport"];
        };
        SecurityHeadersReportResponse: {
            data: components["schemas"]["SecurityHeadersReport"];
        };
        MonitorsSimulateRequest: {
            region_policy?: components["schemas"]["RegionPolicy"];
            /** Format: int32 */
            confirmations?: number;
            /** Format: int32 */
            recovery_confirmations?: number;
            /** @default [] */
            checks: {
                /** Format: uuid */
                id: string;
                settings: {
                    [key: string]: unknown;
                };
            }[];
            from?: string;
            to?: string;
        };
        SimulationResponse: {
            data: components["schemas"]["Simulation"];
        };
        SitemapReportResponse: {
            data: components["schemas"]["SitemapReport"];
        };
        SloStateResponse: {
            data: components["schemas"]["SloState"];
        };
        TcpReportResponse: {
            data: components["schemas"]["TcpReport"];
        };
        MonitorUptimeResponse: {
            data: components["schemas"]["MonitorUptime"];
        };
        MonitorsWebVitalsEnableRequest: {
            /** @default false */
            rotate: boolean;
        };
        WebVitalsBeaconResponse: {
            data: components["schemas"]["WebVitalsBeacon"];
        };
        WebVitalsResponse: {
            data: components["schemas"]["WebVitals"];
        };
        MonthlyReportResponse: {
            data: components["schemas"]["MonthlyReport"];
        };
        ReportedMonthList: {
            data: components["schemas"]["ReportedMonth"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["OffsetMeta"];
        };
        NotificationChannelList: {
            data: components["schemas"]["NotificationChannel"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["OffsetMeta"];
        };
        NotificationChannelResponse: {
            data: components["schemas"]["NotificationChannel"];
        };
        ChannelPresetList: {
            data: components["schemas"]["ChannelPreset"][];
        };
        NotificationChannelsRecipientsResendRequest: {
            /** Format: email */
            email: string;
        };
        NotificationChannelsTestRequest: {
            /** @default incident.created */
            event: components["schemas"]["EventName"];
        };
        ChannelTestResponse: {
            data: components["schemas"]["ChannelTest"];
        };
        NotificationLogList: {
            data: components["schemas"]["NotificationLog"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["CursorMeta"];
        };
        NotificationLogDetailResponse: {
            data: components["schemas"]["NotificationLogDetail"];
        };
        NotificationLogResponse: {
            data: components["schemas"]["NotificationLog"];
        };
        NotificationRuleList: {
            data: components["schemas"]["NotificationRule"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["OffsetMeta"];
        };
        NotificationRulesCreateRequest: {
            /** Format: uuid */
            channel_id: string;
            event_types: components["schemas"]["EventName"][];
            /** @default null */
            monitor_filter: {
                /** @default [] */
                monitor_ids: string[];
                /** @default [] */
                tags: string[];
                /** @default [] */
                types: string[];
            } | null;
            /** @default null */
            tenant_filter: {
                /** @default [] */
                tenant_ids: string[];
                /** @default [] */
                labels: string[];
            } | null;
        };
        NotificationRuleResponse: {
            data: components["schemas"]["NotificationRule"];
        };
        EventTypeList: {
            data: components["schemas"]["EventType"][];
        };
        NotificationRulesUpdateRequest: {
            /** Format: uuid */
            channel_id?: string;
            event_types?: components["schemas"]["EventName"][];
            monitor_filter?: {
                /** @default [] */
                monitor_ids: string[];
                /** @default [] */
                tags: string[];
                /** @default [] */
                types: string[];
            } | null;
            tenant_filter?: {
                /** @default [] */
                tenant_ids: string[];
                /** @default [] */
                labels: string[];
            } | null;
        };
        OnCallScheduleList: {
            data: components["schemas"]["OnCallSchedule"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["OffsetMeta"];
        };
        OnCallScheduleResponse: {
            data: components["schemas"]["OnCallSchedule"];
        };
        OnCallSchedulesCalendarGetReply: {
            data: components["schemas"]["OnCallCalendar"] | null;
        };
        OnCallCalendarAddressResponse: {
            data: components["schemas"]["OnCallCalendarAddress"];
        };
        OnCallNowResponse: {
            data: components["schemas"]["OnCallNow"];
        };
        OnCallOverrideList: {
            data: components["schemas"]["OnCallOverride"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["OffsetMeta"];
        };
        OnCallOverrideResponse: {
            data: components["schemas"]["OnCallOverride"];
        };
        OnCallPreviewResponse: {
            data: components["schemas"]["OnCallPreview"];
        };
        OnCallSchedulesSwapReply: {
            data: components["schemas"]["OnCallOverride"][];
        };
        PlanResponse: {
            data: components["schemas"]["Plan"];
        };
        KeptMonitorsResponse: {
            data: components["schemas"]["KeptMonitors"];
        };
        PlanKeptMonitorsReplaceRequest: {
            monitor_ids: string[];
        };
        DeadEventList: {
            data: components["schemas"]["DeadEvent"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["OffsetMeta"];
        };
        DeadEventResponse: {
            data: components["schemas"]["DeadEvent"];
        };
        PlatformHealthResponse: {
            data: components["schemas"]["PlatformHealth"];
        };
        PlatformInfoResponse: {
            data: components["schemas"]["PlatformInfo"];
        };
        QuarantinedRowList: {
            data: components["schemas"]["QuarantinedRow"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["OffsetMeta"];
        };
        QuarantinedRowResponse: {
            data: components["schemas"]["QuarantinedRow"];
        };
        PlatformRegionList: {
            data: components["schemas"]["PlatformRegion"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["OffsetMeta"];
        };
        PortalResponse: {
            data: components["schemas"]["Portal"];
        };
        PortalUpdateRequest: {
            slug?: string | null;
            is_enabled?: boolean;
            support_email?: string | null;
            sign_up?: {
                is_enabled?: boolean;
                plan?: components["schemas"]["PlanName"] | null;
                profile_id?: string | null;
                allowed_email_domains?: string[];
            };
        };
        ProfileResponse: {
            data: components["schemas"]["Profile"];
        };
        ProfileUpdateRequest: {
            name?: string;
            language?: string;
            timezone?: string;
            /** @enum {string} */
            digest?: "off" | "daily" | "weekly";
            monthly_report?: boolean;
            handover_mails?: boolean;
        };
        ProfileDeleteRequest: {
            password: string;
            otp_code?: string;
        };
        ErasureResponse: {
            data: components["schemas"]["Erasure"];
        };
        ContactMethodList: {
            data: components["schemas"]["ContactMethod"][];
        };
        ProfileContactMethodsCreateRequest: {
            name: string;
            type: components["schemas"]["ChannelType"];
            config: {
                [key: string]: unknown;
            };
            /** @default true */
            is_enabled: boolean;
        };
        ContactMethodResponse: {
            data: components["schemas"]["ContactMethod"];
        };
        ProfileContactMethodsUpdateRequest: {
            name?: string;
            config?: {
                [key: string]: unknown;
            };
            is_enabled?: boolean;
            /** Format: int32 */
            position?: number;
        };
        ProfileChangeEmailRequest: {
            /** Format: email */
            email: string;
            password: string;
            otp_code?: string;
        };
        ProfileChangeEmailReply: {
            data: {
                pending_email: string;
                /** Format: date-time */
                expires_at: string;
            };
        };
        ProfileExportReply: {
            data: {
                /** Format: date-time */
                exported_at: string;
                profile: components["schemas"]["Profile"];
                tokens: {
                    [key: string]: unknown;
                }[];
                invitations_received: {
                    [key: string]: unknown;
                }[];
                invitations_sent: {
                    [key: string]: unknown;
                }[];
                second_factor: {
                    [key: string]: unknown;
                }[];
                passkeys: {
                    [key: string]: unknown;
                }[];
                email_change: {
                    [key: string]: unknown;
                }[];
                email_reverts: {
                    [key: string]: unknown;
                }[];
                email_verification: {
                    [key: string]: unknown;
                }[];
                known_networks: {
                    [key: string]: unknown;
                }[];
                known_devices: {
                    [key: string]: unknown;
                }[];
                trusted_devices: {
                    [key: string]: unknown;
                }[];
                audit_entries: {
                    [key: string]: unknown;
                }[];
                incidents_acknowledged: {
                    [key: string]: unknown;
                }[];
                incident_updates: {
                    [key: string]: unknown;
                }[];
                contact_methods: {
                    [key: string]: unknown;
                }[];
                checks_snoozed: {
                    [key: string]: unknown;
                }[];
            };
        };
        ProfileInvitationsAcceptReply: {
            data: {
                /** Format: uuid */
                tenant_id: string;
                name: string;
                role: components["schemas"]["Role"];
            };
        };
        ProfileMfaGetReply: {
            data: {
                mfa_enabled: boolean;
                /** Format: date-time */
                enabled_at: string | null;
                /** Format: int64 */
                recovery_codes_left: number;
                /** Format: int64 */
                passkeys: number;
            };
        };
        ProfileMfaStartRequest: {
            password: string;
        };
        ProfileMfaStartReply: {
            data: {
                secret: string;
                otpauth_url: string;
            };
        };
        ProfileMfaDisableRequest: {
            password: string;
            otp_code: string;
        };
        ProfileMfaConfirmRequest: {
            code: string;
        };
        ProfileMfaConfirmReply: {
            data: {
                mfa_enabled: boolean;
                recovery_codes: string[];
            };
        };
        ProfileMfaRenewRecoveryCodesReply: {
            data: {
                recovery_codes: string[];
            };
        };
        ProfilePasskeysCreateRequest: {
            name?: string;
            credential: components["schemas"]["PasskeyRegistration"];
        };
        PasskeyResponse: {
            data: components["schemas"]["Passkey"];
        };
        PasskeyList: {
            data: components["schemas"]["Passkey"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["OffsetMeta"];
        };
        ProfilePasskeysStartRequest: {
            password?: string;
            otp_code?: string;
        };
        PasskeyRegistrationOptionsResponse: {
            data: components["schemas"]["PasskeyRegistrationOptions"];
        };
        ProfilePasskeysUpdateRequest: {
            name: string;
        };
        /** @default {} */
        ProfilePasskeysDeleteRequest: {
            password?: string;
            otp_code?: string;
        };
        ProfileChangePasswordRequest: {
            current_password: string;
            password: string;
        };
        SessionList: {
            data: components["schemas"]["Session"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["OffsetMeta"];
        };
        ProfileSessionsEndOthersReply: {
            data: {
                /** Format: int64 */
                ended: number;
            };
        };
        TrustedDeviceList: {
            data: components["schemas"]["TrustedDevice"][];
        };
        ProfileTrustedDevicesDeleteAllReply: {
            data: {
                /** Format: int64 */
                deleted: number;
            };
        };
        RegionList: {
            data: components["schemas"]["Region"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["OffsetMeta"];
        };
        EmailSuppressionResponse: {
            data: components["schemas"]["EmailSuppression"];
        };
        ResellerEmailSuppressionReplaceRequest: {
            suppressed_types: components["schemas"]["MailType"][];
        };
        ResellerIncidentsBatchAcknowledgeRequest: {
            incident_ids: string[];
        };
        ResellerIncidentsBatchAcknowledgeReply: {
            data: {
                /** Format: int64 */
                acknowledged: number;
                results: {
                    /** Format: uuid */
                    incident_id: string;
                    /** @enum {string} */
                    result: "acknowledged" | "already_acknowledged" | "resolved" | "not_found";
                }[];
            };
        };
        MonitorTemplateList: {
            data: components["schemas"]["MonitorTemplate"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["OffsetMeta"];
        };
        MonitorTemplateResponse: {
            data: components["schemas"]["MonitorTemplate"];
        };
        ResellerOverviewResponse: {
            data: components["schemas"]["ResellerOverview"];
        };
        ProvisioningProfileList: {
            data: components["schemas"]["ProvisioningProfile"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["OffsetMeta"];
        };
        ProvisioningProfileResponse: {
            data: components["schemas"]["ProvisioningProfile"];
        };
        ResellerTokenList: {
            data: components["schemas"]["ResellerToken"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["OffsetMeta"];
        };
        ResellerTokensScopesListReply: {
            data: {
                value: components["schemas"]["ResellerScope"];
                description: string;
            }[];
        };
        ResellerTokenResponse: {
            data: components["schemas"]["ResellerToken"];
        };
        ResellerTokensRotateReply: {
            data: components["schemas"]["ResellerToken"];
            plain_text_token: string;
            rotated_from: {
                /** Format: uuid */
                id: string;
                /** Format: date-time */
                expires_at: string;
                /** Format: int64 */
                grace_period_hours: number;
            };
        };
        ResellerWebhookList: {
            data: components["schemas"]["ResellerWebhook"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["OffsetMeta"];
        };
        ResellerWebhooksCreateRequest: {
            name: string;
            url: string;
            /** @default null */
            secret: string | null;
            events: components["schemas"]["EventName"][];
            /** @default null */
            tenant_filter: {
                /** @default [] */
                tenant_ids: string[];
                /** @default [] */
                labels: string[];
            } | null;
            /** @default true */
            is_enabled: boolean;
        };
        ResellerWebhookResponse: {
            data: components["schemas"]["ResellerWebhook"];
        };
        ResellerWebhooksUpdateRequest: {
            name?: string;
            url?: string;
            secret?: string | null;
            events?: components["schemas"]["EventName"][];
            tenant_filter?: {
                /** @default [] */
                tenant_ids: string[];
                /** @default [] */
                labels: string[];
            } | null;
            is_enabled?: boolean;
        };
        ScimTokensCreateRequest: {
            name: string;
        };
        ScimTokensCreateReply: {
            data: components["schemas"]["ScimToken"];
            plain_text_token: string;
            base_url: string;
        };
        ScimTokenList: {
            data: components["schemas"]["ScimToken"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["OffsetMeta"];
        };
        SecurityPolicyResponse: {
            data: components["schemas"]["SecurityPolicy"];
        };
        SecurityPolicyUpdateRequest: {
            mfa_required?: boolean;
            /** Format: int32 */
            mfa_grace_days?: number;
        };
        SetupResponse: {
            data: components["schemas"]["Setup"];
        };
        SetupCreateRequest: {
            token: string;
            name: string;
            /** Format: email */
            email: string;
            password: string;
            team_name: string;
            /** @default en */
            language: string;
            /** @default UTC */
            timezone: string;
        };
        SmtpConfigGetReply: {
            data: components["schemas"]["SmtpConfig"] | null;
        };
        SmtpConfigResponse: {
            data: components["schemas"]["SmtpConfig"];
        };
        SsoAttemptList: {
            data: components["schemas"]["SsoAttempt"][];
        };
        SsoConfigGetReply: {
            data: components["schemas"]["SsoConfig"] | null;
        };
        SsoConfigUpdateRequest: {
            /** @enum {string} */
            protocol?: "oidc" | "saml";
            /** Format: uri */
            issuer?: string;
            client_id?: string;
            sign_in_url?: string | null;
            certificates?: string[];
            email_attribute?: string | null;
            client_secret?: string | null;
            scopes?: string[];
            groups_claim?: string | null;
            role_map?: {
                [key: string]: "admin" | "member" | "viewer";
            };
            /** @enum {string} */
            default_role?: "admin" | "member" | "viewer";
            is_jit?: boolean;
            is_enabled?: boolean;
            is_enforced?: boolean;
            break_glass_user_id?: string | null;
        };
        SsoConfigResponse: {
            data: components["schemas"]["SsoConfig"];
        };
        SsoTestResponse: {
            data: components["schemas"]["SsoTest"];
        };
        SsoDomainList: {
            data: components["schemas"]["SsoDomain"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["OffsetMeta"];
        };
        SsoDomainsCreateRequest: {
            domain: string;
        };
        SsoDomainResponse: {
            data: components["schemas"]["SsoDomain"];
        };
        StatusPageTemplateList: {
            data: components["schemas"]["StatusPageTemplate"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["OffsetMeta"];
        };
        StatusPageTemplateResponse: {
            data: components["schemas"]["StatusPageTemplate"];
        };
        StatusPageTemplatesFillRequest: {
            /** Format: uuid */
            status_page_id: string;
            /** @default null */
            incident_id: string | null;
            /** @default [] */
            component_ids: string[];
        };
        FilledStatusPageTemplateResponse: {
            data: components["schemas"]["FilledStatusPageTemplate"];
        };
        StatusPageList: {
            data: components["schemas"]["StatusPage"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["OffsetMeta"];
        };
        StatusPageResponse: {
            data: components["schemas"]["StatusPage"];
        };
        StatusPagesPreviewTextRequest: {
            text: string;
        };
        StatusPageTextPreviewResponse: {
            data: components["schemas"]["StatusPageTextPreview"];
        };
        StatusPageDetailResponse: {
            data: components["schemas"]["StatusPageDetail"];
        };
        StatusPageComponentList: {
            data: components["schemas"]["StatusPageComponent"][];
        };
        StatusPageComponentResponse: {
            data: components["schemas"]["StatusPageComponent"];
        };
        StatusPagesComponentsOrderRequest: {
            components: components["schemas"]["StatusPageComponentPlace"][];
        };
        StatusPageGroupList: {
            data: components["schemas"]["StatusPageGroup"][];
        };
        StatusPageGroupResponse: {
            data: components["schemas"]["StatusPageGroup"];
        };
        StatusPagesGroupsOrderRequest: {
            groups: string[];
        };
        StatusPagePostList: {
            data: components["schemas"]["StatusPagePost"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["OffsetMeta"];
        };
        StatusPagePostResponse: {
            data: components["schemas"]["StatusPagePost"];
        };
        StatusPagesPostmortemsSetRequest: {
            body: string;
            /** @default false */
            is_published: boolean;
        };
        StatusPageUpdateList: {
            data: components["schemas"]["StatusPageUpdate"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["OffsetMeta"];
        };
        StatusPageUpdateResponse: {
            data: components["schemas"]["StatusPageUpdate"];
        };
        StatusPagesPostsUpdatesUpdateRequest: {
            body: string;
        };
        StatusPageSubscriberList: {
            data: components["schemas"]["StatusPageSubscriber"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["OffsetMeta"];
        };
        StatusPagesSubscribersCreateRequest: {
            /**
             * @default email
             * @enum {string}
             */
            channel: "email" | "webhook" | "slack";
            address: string;
            /** @default [] */
            component_ids: string[];
            locale?: components["schemas"]["Language"];
            /** @default false */
            confirmed: boolean;
        };
        StatusPageSubscriberResponse: {
            data: components["schemas"]["StatusPageSubscriber"];
        };
        StatusPageSubscriberCountsResponse: {
            data: components["schemas"]["StatusPageSubscriberCounts"];
        };
        SubscriberImportResponse: {
            data: components["schemas"]["SubscriberImport"];
        };
        StatusSubscriptionsUpdateRequest: {
            token: string;
            component_ids?: string[];
            locale?: components["schemas"]["Language"];
        };
        StatusPageSubscriptionResponse: {
            data: components["schemas"]["StatusPageSubscription"];
        };
        StatusSubscriptionsGetRequest: {
            token: string;
        };
        StatusPagesSubscribeRequest: {
            /**
             * @default email
             * @enum {string}
             */
            channel: "email" | "webhook" | "slack";
            address: string;
            /** @default [] */
            component_ids: string[];
            locale?: components["schemas"]["Language"];
            password?: string;
        };
        TagList: {
            data: components["schemas"]["Tag"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["OffsetMeta"];
        };
        TenantList: {
            data: components["schemas"]["Tenant"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["OffsetMeta"];
        };
        TenantsCreateRequest: {
            name: string;
            slug: string;
            /** @default free */
            plan: components["schemas"]["PlanName"];
            /** @default false */
            is_reseller: boolean;
            owner: {
                /** Format: email */
                email: string;
                name?: string;
                /** @default en */
                language: string;
                /** @default null */
                password: string | null;
            };
        };
        TenantResponse: {
            data: components["schemas"]["Tenant"];
        };
        TenantsUpdateRequest: {
            name?: string;
            plan?: components["schemas"]["PlanName"];
            is_reseller?: boolean;
            is_suspended?: boolean;
            suspended_reason?: string | null;
        };
        /**
         * @example {
         *       "metric": "LCP",
         *       "value": 1840,
         *       "path": "/pricing",
         *       "connection": "4g"
         *     }
         */
        WebVitalsReportRequest: components["schemas"]["WebVital"] | components["schemas"]["WebVital"][];
        WebVitalsReportReply: {
            data: {
                /** Format: int64 */
                accepted: number;
            };
        };
        ManagedTeamList: {
            data: components["schemas"]["ManagedTeam"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["OffsetMeta"];
        };
        ManagedTeamsCreateRequest: {
            name: string;
            slug: string;
            plan?: components["schemas"]["PlanName"];
            label?: string | null;
            admin_email?: string | null;
            admin_name?: string | null;
            admin_password?: string | null;
            trial_days?: number | null;
            /** @default null */
            external_ref: string | null;
            metadata?: {
                [key: string]: string | number | boolean | null;
            };
            profile_id?: string | null;
            variables?: {
                [key: string]: string;
            };
        };
        ManagedTeamsCreateReply: {
            data: components["schemas"]["ManagedTeam"];
            connections: components["schemas"]["MonitorConnection"][];
        };
        ManagedTeamsBatchRequest: {
            /** @constant */
            action: "pause";
            ids: string[];
            reason?: string | null;
        } | {
            /** @constant */
            action: "unpause";
            ids: string[];
        } | {
            /** @constant */
            action: "plan";
            ids: string[];
            plan: components["schemas"]["PlanName"];
        } | {
            /** @constant */
            action: "label";
            ids: string[];
            label: string | null;
        } | {
            /** @constant */
            action: "delete";
            ids: string[];
            confirm: {
                [key: string]: string;
            };
        };
        ManagedTeamsBatchReply: {
            data: {
                /** Format: int64 */
                done: number;
                /** Format: int64 */
                failed: number;
                results: {
                    /** Format: uuid */
                    id: string;
                    /** @enum {string} */
                    result: "done" | "failed";
                    code: string | null;
                    message: string | null;
                }[];
            };
        };
        ManagedTeamResponse: {
            data: components["schemas"]["ManagedTeam"];
        };
        ManagedTeamsUpdateRequest: {
            name?: string;
            plan?: components["schemas"]["PlanName"];
            label?: string | null;
            external_ref?: string | null;
            metadata?: {
                [key: string]: string | number | boolean | null;
            };
            /** Format: int32 */
            trial_days?: number;
        };
        ManagedTeamsDeleteRequest: {
            confirm_name: string;
        };
        ManagedTeamsApplyTemplateRequest: {
            /** Format: uuid */
            template_id: string;
            /** @default {} */
            variables: {
                [key: string]: string;
            };
        };
        ManagedTeamsApplyTemplateReply: {
            data: components["schemas"]["Monitor"][];
            connections: components["schemas"]["MonitorConnection"][];
        };
        ManagedTeamsDecoupleReply: {
            data: {
                message: string;
                /** Format: uuid */
                tenant_id: string;
            };
        };
        FeatureOverridesOfTeamResponse: {
            data: components["schemas"]["FeatureOverridesOfTeam"];
        };
        ManagedTeamsFeatureOverridesReplaceRequest: {
            overrides: components["schemas"]["FeatureOverrideChanges"];
        };
        ImpersonationTokenList: {
            data: components["schemas"]["ImpersonationToken"][];
            links: components["schemas"]["Links"];
            meta: components["schemas"]["OffsetMeta"];
        };
        ManagedTeamsImpersonationTokensCreateRequest: {
            /**
             * Format: int32
             * @default 15
             */
            ttl_minutes: number;
            scopes?: ("read" | "write")[];
            label?: string | null;
        };
        ManagedTeamsImpersonationTokensCreateReply: {
            data: {
                /** Format: uuid */
                id: string;
                /** Format: uuid */
                managed_team_id: string;
                /** Format: uuid */
                managed_tenant_id: string;
                scopes: ("read" | "write")[];
                /** Format: date-time */
                expires_at: string;
                /** Format: int64 */
                ttl_minutes: number;
            };
            plain_text_token: string;
        };
        ManagedTeamsMembersCreateRequest: {
            name: string;
            /** Format: email */
            email: string;
            password: string;
            /** @default member */
            role: components["schemas"]["Role"];
            /** @default en */
            language: string;
        };
        PartnerSsoResponse: {
            data: components["schemas"]["PartnerSso"];
        };
        ManagedTeamsPartnerSsoUpdateRequest: {
            enabled?: boolean;
            hide_password_login?: boolean;
            auto_register?: boolean;
            auto_link_existing_users?: boolean;
        };
        ManagedTeamsPartnerSsoRotateSecretReply: {
            data: {
                enabled: boolean;
                has_shared_secret: boolean;
            };
            shared_secret: string;
        };
        ManagedTeamsPauseRequest: {
            reason?: string | null;
        };
        ManagedTeamsPauseReply: {
            data: {
                message: string;
                is_paused: boolean;
                paused_reason: string | null;
            };
        };
        ManagedTeamsSsoLinkRequest: {
            /** Format: email */
            user_email: string;
            user_name?: string;
            redirect_to?: string;
        };
        SsoLinkResponse: {
            data: components["schemas"]["SsoLink"];
        };
        TeamSummaryResponse: {
            data: components["schemas"]["TeamSummary"];
        };
        ManagedTeamsUnpauseReply: {
            data: {
                message: string;
                is_paused: boolean;
            };
        };
        TeamUsageResponse: {
            data: components["schemas"]["TeamUsage"];
        };
        /** @enum {string} */
        MonitorStatus: "up" | "down" | "warning" | "paused" | "maintenance";
        /** @enum {string} */
        Resolution: "minute" | "five_minutes" | "hour" | "day";
        /** @enum {string} */
        ServerMetric: "cpu" | "memory" | "swap" | "disk" | "load" | "load_5m" | "load_15m" | "temperature" | "memory_used" | "disk_used" | "network_in" | "network_out" | "disk_read" | "disk_write" | "processes" | "uptime";
        /** @enum {string} */
        PlanName: "free" | "hobby" | "starter" | "pro";
        /** @enum {string} */
        BillingInterval: "month" | "year";
        /** @enum {string} */
        Outcome: "up" | "warning" | "down" | "unknown";
        /** @enum {string} */
        LinkKind: "page" | "asset" | "external";
        /** @enum {string} */
        PingState: "start" | "complete" | "ok" | "fail" | "log";
        /** @enum {string} */
        Severity: "critical" | "major" | "minor";
        /** @enum {string} */
        IncidentStatus: "investigating" | "identified" | "monitoring" | "resolved";
        /** @enum {string} */
        CheckType: "uptime" | "ssl" | "dns" | "tcp" | "ping" | "domain_expiry" | "dnsbl" | "security_headers" | "redirect_chain" | "mixed_content" | "broken_links" | "crawl" | "cron" | "robots_txt" | "application_health" | "sitemap" | "lighthouse" | "agent";
        /** @enum {string} */
        SortDirection: "asc" | "desc";
        /** @enum {string} */
        MaintenanceState: "scheduled" | "active" | "completed" | "cancelled";
        /** @enum {string} */
        Role: "owner" | "admin" | "member" | "viewer";
        /** @enum {string} */
        Language: "en" | "de";
        /** @enum {string} */
        EventName: "team.provisioned" | "team.deleted" | "team.paused" | "team.unpaused" | "team.trial_ending" | "team.trial_expired" | "tenant.quota_warning" | "tenant.quota_exceeded" | "monitor.created" | "monitor.updated" | "monitor.deleted" | "monitor.enabled" | "monitor.disabled" | "monitor.flapping" | "monitor.flapping_resolved" | "member.added" | "member.removed" | "member.erased" | "incident.created" | "incident.resolved" | "incident.escalated" | "incident.escalation_exhausted" | "warning.ssl_expiring" | "warning.domain_expiring" | "warning.degraded_performance" | "warning.application_health" | "warning.sitemap_issues" | "warning.security_headers" | "warning.redirect_chain" | "warning.robots_txt" | "warning.dnsbl_listing" | "warning.broken_links" | "warning.mixed_content" | "warning.server_resources" | "warning.cleared" | "dns.records_changed" | "dns.nameserver_changed" | "certificate.renewed" | "maintenance.scheduled" | "maintenance.started" | "maintenance.ended" | "maintenance.cancelled" | "status_page.published" | "status_page.incident_posted" | "status_page.incident_updated" | "on_call.gap_found" | "billing.plan_changed" | "billing.payment_failed" | "billing.invoice_paid" | "storm.detected" | "storm.resolved" | "email.invitation" | "email.member_removed" | "email.trial_ending" | "email.trial_expired" | "email.incident_created" | "email.incident_resolved" | "email.warning" | "email.dns_changed" | "email.certificate_renewed" | "email.digest" | "email.monthly_report" | "email.status_page_subscription" | "email.security_mfa_enabled" | "email.security_mfa_disabled" | "email.security_recovery_codes_regenerated" | "email.security_mfa_reset" | "email.security_passkey_added" | "email.security_passkey_removed" | "email.security_password_changed" | "email.security_email_changed" | "email.security_api_token_created" | "email.security_api_token_revoked" | "email.security_session_revoked" | "email.security_login_new_device" | "email.security_account_blocked" | "email.security_account_unblocked" | "email.security_role_changed" | "email.security_auth_policy_changed" | "email.security_account_deleted" | "monitor.down" | "monitor.up" | "ssl.expiring";
        /** @enum {string} */
        StatusPageState: "draft" | "published";
        /** @enum {string} */
        Impact: "none" | "minor" | "major" | "critical";
        /** @enum {string} */
        ThresholdSeverity: "warning" | "critical";
        /** @enum {string} */
        UpsellMode: "hidden" | "silent" | "subtle" | "active";
        /** @enum {string} */
        UpsellCta: "none" | "link" | "contact";
        /** @enum {string} */
        CheckSeverity: "critical" | "major" | "minor" | "warning";
        /** @enum {string} */
        ScheduleKind: "simple" | "cron";
        /** @enum {string} */
        EscalationAssignment: "all" | "round_robin";
        /** @enum {string} */
        Weekday: "mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun";
        /** @enum {string} */
        EscalationTargetType: "user" | "schedule" | "team" | "channel";
        /** @enum {string} */
        EscalationPosition: "current" | "next";
        /** @enum {string} */
        MaintenanceMode: "suppress_alerts" | "pause_checks";
        /** @enum {string} */
        WatchedType: "website" | "host";
        /** @enum {string} */
        PolicyMode: "any" | "majority" | "all" | "count";
        /** @enum {string} */
        IpVersion: "4" | "6" | "any";
        /** @enum {string} */
        DnsRecordType: "A" | "AAAA" | "MX" | "CNAME" | "NS" | "TXT" | "SOA" | "SRV" | "CAA";
        /** @enum {string} */
        BlockList: "spamhaus_zen" | "spamhaus_dbl" | "spamcop" | "barracuda" | "psbl" | "uceprotect_1" | "mailspike" | "dronebl" | "blocklist_de" | "s5h" | "surbl" | "uribl";
        /** @enum {string} */
        HeaderGrade: "A+" | "A" | "A-" | "B+" | "B" | "B-" | "C+" | "C" | "C-" | "D+" | "D" | "D-" | "F";
        /** @enum {string} */
        FindingSeverity: "ignore" | "warning" | "down";
        /** @enum {string} */
        FailedIs: "down" | "warning";
        /** @enum {string} */
        SitemapFinding: "missing" | "unreachable" | "not_a_sitemap" | "doctype" | "malformed" | "broken_archive" | "too_large" | "too_many_entries" | "nested_index" | "child_unreachable" | "empty" | "broken_url" | "blocked_url" | "redirected_url" | "bad_url" | "foreign_url" | "insecure_url" | "lastmod_invalid" | "lastmod_future";
        /** @enum {string} */
        FormFactor: "mobile" | "desktop";
        /** @enum {string} */
        LighthouseCategory: "performance" | "accessibility" | "best_practices" | "seo";
        /** @enum {string} */
        HandoffKind: "daily" | "weekly" | "custom";
        /** @enum {string} */
        ApiAccess: "read" | "full";
        /** @enum {string} */
        ChannelType: "webhook" | "email" | "slack" | "discord" | "microsoft_teams" | "pagerduty" | "telegram" | "custom";
        /** @enum {string} */
        StatusPageAccess: "public" | "password" | "email_domain" | "ip";
        /** @enum {string} */
        UptimeMode: "duration" | "requests" | "manual";
        /** @enum {string} */
        StatusPageTheme: "auto" | "light" | "dark";
        /** @enum {string} */
        ComponentType: "monitor" | "group" | "static";
        /** @enum {string} */
        SettableStatus: "operational" | "degraded_performance" | "partial_outage" | "major_outage" | "maintenance";
        /** @enum {string} */
        DownStatus: "degraded_performance" | "partial_outage" | "major_outage";
        /** @enum {string} */
        MonitorType: "website" | "host" | "cron" | "agent";
        /** @enum {string} */
        VitalMetric: "LCP" | "INP" | "CLS" | "FCP" | "TTFB";
        /** @enum {string} */
        RecipientState: "member" | "confirmed" | "pending" | "unsubscribed";
        /** @enum {string} */
        TenantScope: "monitors:read" | "monitors:write" | "monitors:manage" | "checks:read" | "checks:write" | "checks:manage" | "incidents:read" | "incidents:write" | "incidents:manage" | "notifications:read" | "notifications:write" | "notifications:manage" | "escalation:read" | "escalation:write" | "status-pages:read" | "status-pages:write" | "status-pages:manage" | "maintenance:read" | "maintenance:write" | "team:read" | "team:write" | "team:manage" | "settings:read" | "settings:write" | "settings:manage" | "billing:read" | "billing:write";
        /** @enum {string} */
        ResellerScope: "teams:read" | "teams:write" | "teams:manage" | "members:read" | "members:write" | "members:manage" | "branding:read" | "branding:write" | "branding:manage" | "sso:read" | "sso:write" | "sso:manage" | "portal:read" | "portal:write" | "portal:manage" | "api-keys:read" | "api-keys:write" | "api-keys:manage" | "webhooks:read" | "webhooks:write" | "webhooks:manage" | "notifications:read" | "notifications:write" | "notifications:manage" | "maintenance:read" | "maintenance:write" | "maintenance:manage" | "status-pages:read" | "status-pages:write" | "status-pages:manage" | "monitors:read" | "monitors:write" | "monitors:manage" | "incidents:read" | "incidents:write" | "incidents:manage";
        /** @enum {string} */
        CheckStatus: "up" | "warning" | "down";
        /** @enum {string} */
        Coverage: "full" | "partial" | "none";
        /** @enum {string} */
        RunResult: "pending" | "succeeded" | "warning" | "failed" | "errored_or_timed_out";
        /** @enum {string} */
        MixedContentKind: "active" | "passive" | "form";
        /** @enum {string} */
        Visibility: "internal" | "public";
        /** @enum {string} */
        IncidentResolution: "auto" | "manual";
        /** @enum {string} */
        EscalationState: "pending" | "running" | "held" | "parked" | "acknowledged" | "resolved" | "exhausted";
        /** @enum {string} */
        MonitorAlert: "incident.created" | "incident.resolved";
        /** @enum {string} */
        MailType: "invitation" | "member_removed" | "trial_ending" | "trial_expired" | "incident_created" | "incident_resolved" | "warning" | "dns_changed" | "certificate_renewed" | "digest" | "monthly_report" | "status_page_subscription" | "security_mfa_enabled" | "security_mfa_disabled" | "security_recovery_codes_regenerated" | "security_mfa_reset" | "security_passkey_added" | "security_passkey_removed" | "security_password_changed" | "security_email_changed" | "security_api_token_created" | "security_api_token_revoked" | "security_session_revoked" | "security_login_new_device" | "security_account_blocked" | "security_account_unblocked" | "security_role_changed" | "security_auth_policy_changed" | "security_account_deleted";
    };
    responses: {
        NotModified: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        Invalid: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        TooManyRequests: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        Unavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        Refused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        Unauthenticated: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        ScimInvalid: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/scim+json": components["schemas"]["ScimError"];
            };
        };
        ScimUnauthenticated: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/scim+json": components["schemas"]["ScimError"];
            };
        };
        ScimForbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/scim+json": components["schemas"]["ScimError"];
            };
        };
        ScimNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/scim+json": components["schemas"]["ScimError"];
            };
        };
        ScimConflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/scim+json": components["schemas"]["ScimError"];
            };
        };
        ScimChanged: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/scim+json": components["schemas"]["ScimError"];
            };
        };
        ScimTooManyRequests: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/scim+json": components["schemas"]["ScimError"];
            };
        };
        ScimUnavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/scim+json": components["schemas"]["ScimError"];
            };
        };
        ScimRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/scim+json": components["schemas"]["ScimError"];
            };
        };
        Changed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        NoSuchAccount: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        Done: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        WebhookTaken: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        WebhookNotTaken: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        NoContent: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content?: never;
        };
        BadgesGet200: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "image/svg+xml": string;
            };
        };
        BadgesGet404: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "image/svg+xml": string;
            };
        };
        MaintenanceCalendarRead200: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "text/calendar": string;
            };
        };
        PingAnswerResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PingAnswerResponse"];
            };
        };
        ScimUser: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/scim+json": components["schemas"]["ScimUser"];
            };
        };
        AgentMonitorList: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AgentMonitorList"];
            };
        };
        AgentMonitorResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AgentMonitorResponse"];
            };
        };
        AgentMonitorsUpdate200: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AgentMonitorResponse"];
            };
        };
        AgentMonitorsMetricsListReply: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AgentMonitorsMetricsListReply"];
            };
        };
        AgentMonitorsRotateTokenReply: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AgentMonitorsRotateTokenReply"];
            };
        };
        ApiTokenList: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiTokenList"];
            };
        };
        ApiTokenResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiTokenResponse"];
            };
        };
        ApiKeysUpdate200: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiTokenResponse"];
            };
        };
        ApiKeysRotateReply: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiKeysRotateReply"];
            };
        };
        AuditEntryList: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AuditEntryList"];
            };
        };
        AuditLogFiltersGetReply: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AuditLogFiltersGetReply"];
            };
        };
        AuthEmailConfirm204: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content?: never;
        };
        AuthLoginReply: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AuthLoginReply"];
            };
        };
        AuthPasswordForgotReply: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AuthPasswordForgotReply"];
            };
        };
        AuthSignInReply: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AuthSignInReply"];
            };
        };
        AuthSignOut200: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AuthPasswordForgotReply"];
            };
        };
        BillingResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BillingResponse"];
            };
        };
        BillingCancel200: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BillingResponse"];
            };
        };
        PaymentPageResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PaymentPageResponse"];
            };
        };
        InvoiceList: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvoiceList"];
            };
        };
        BillingPlanChangeDelete200: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BillingResponse"];
            };
        };
        BrandingResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BrandingResponse"];
            };
        };
        BrandingUpdate200: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BrandingResponse"];
            };
        };
        ChecksTimeseriesBatchReply: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ChecksTimeseriesBatchReply"];
            };
        };
        CheckResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CheckResponse"];
            };
        };
        ChecksUpdate200: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CheckResponse"];
            };
        };
        ChecksDisable200: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CheckResponse"];
            };
        };
        CheckRunResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CheckRunResponse"];
            };
        };
        CheckResultList: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CheckResultList"];
            };
        };
        ChecksTimeseriesListReply: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ChecksTimeseriesListReply"];
            };
        };
        CrawlRunList: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CrawlRunList"];
            };
        };
        CrawlRunResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CrawlRunResponse"];
            };
        };
        CrawlRunsCancel200: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CrawlRunResponse"];
            };
        };
        CrawlPageList: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CrawlPageList"];
            };
        };
        CronMonitorList: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CronMonitorList"];
            };
        };
        CronMonitorResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CronMonitorResponse"];
            };
        };
        CronMonitorsUpdate200: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CronMonitorResponse"];
            };
        };
        ReceivedPingList: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ReceivedPingList"];
            };
        };
        PingSnippetList: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PingSnippetList"];
            };
        };
        CustomDomainList: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CustomDomainList"];
            };
        };
        CustomDomainResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CustomDomainResponse"];
            };
        };
        CustomDomainsUpdate200: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CustomDomainResponse"];
            };
        };
        CustomDomainsVerify200: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CustomDomainResponse"];
            };
        };
        DashboardStatsResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DashboardStatsResponse"];
            };
        };
        EscalationPolicyList: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["EscalationPolicyList"];
            };
        };
        EscalationPolicyResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["EscalationPolicyResponse"];
            };
        };
        EscalationPoliciesUpdate200: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["EscalationPolicyResponse"];
            };
        };
        GeoAuditResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["GeoAuditResponse"];
            };
        };
        IncidentList: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["IncidentList"];
            };
        };
        LinkedIncidentResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["LinkedIncidentResponse"];
            };
        };
        IncidentDetailResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["IncidentDetailResponse"];
            };
        };
        IncidentResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["IncidentResponse"];
            };
        };
        IncidentsAcknowledge200: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["IncidentResponse"];
            };
        };
        IncidentNotificationsList: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["IncidentNotificationsList"];
            };
        };
        IncidentUpdateList: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["IncidentUpdateList"];
            };
        };
        IncidentUpdateResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["IncidentUpdateResponse"];
            };
        };
        InvitationList: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvitationList"];
            };
        };
        InvitationResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvitationResponse"];
            };
        };
        InvitationsCreateReply: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvitationsCreateReply"];
            };
        };
        MailBudgetResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MailBudgetResponse"];
            };
        };
        MaintenanceWindowList: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MaintenanceWindowList"];
            };
        };
        MaintenanceCalendarResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MaintenanceCalendarResponse"];
            };
        };
        MaintenanceWindowResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MaintenanceWindowResponse"];
            };
        };
        MaintenanceWindowsUpdate200: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MaintenanceWindowResponse"];
            };
        };
        MaintenanceWindowsCancel200: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MaintenanceWindowResponse"];
            };
        };
        MemberList: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MemberList"];
            };
        };
        MemberResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MemberResponse"];
            };
        };
        MembersUpdate200: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MemberResponse"];
            };
        };
        MembersResetMfa200: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MemberResponse"];
            };
        };
        MonitorList: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MonitorList"];
            };
        };
        MonitorsCreateManyReply: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MonitorsCreateManyReply"];
            };
        };
        MonitorsUpdateMany200: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MonitorsCreateManyReply"];
            };
        };
        MonitorsStatsBatchReply: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MonitorsStatsBatchReply"];
            };
        };
        UptimeByDayResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UptimeByDayResponse"];
            };
        };
        MonitorResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MonitorResponse"];
            };
        };
        MonitorsUpdate200: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MonitorResponse"];
            };
        };
        ServerNowResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ServerNowResponse"];
            };
        };
        BrokenLinksReportResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BrokenLinksReportResponse"];
            };
        };
        CertificateReportResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CertificateReportResponse"];
            };
        };
        CheckList: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CheckList"];
            };
        };
        MonitorsChecksCreate201: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CheckResponse"];
            };
        };
        MonitorsCrawlRunsCreate201: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CrawlRunResponse"];
            };
        };
        MonitorsDisable200: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MonitorResponse"];
            };
        };
        DnsHistoryReportResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DnsHistoryReportResponse"];
            };
        };
        DnsblReportResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DnsblReportResponse"];
            };
        };
        DomainExpiryReportResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DomainExpiryReportResponse"];
            };
        };
        MonitorsGeoAuditsCreate201: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["GeoAuditResponse"];
            };
        };
        GeoAuditItemList: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["GeoAuditItemList"];
            };
        };
        HealthReportResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["HealthReportResponse"];
            };
        };
        LighthouseReportResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["LighthouseReportResponse"];
            };
        };
        MixedContentReportResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MixedContentReportResponse"];
            };
        };
        MonitorPerformanceResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MonitorPerformanceResponse"];
            };
        };
        PingReportResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PingReportResponse"];
            };
        };
        RedirectChainReportResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RedirectChainReportResponse"];
            };
        };
        MonitorReportResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MonitorReportResponse"];
            };
        };
        MonitorsReportPdfGet200: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/pdf": string;
            };
        };
        RobotsTxtReportResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RobotsTxtReportResponse"];
            };
        };
        SecurityHeadersReportResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SecurityHeadersReportResponse"];
            };
        };
        SimulationResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SimulationResponse"];
            };
        };
        SitemapReportResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SitemapReportResponse"];
            };
        };
        SloStateResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SloStateResponse"];
            };
        };
        TcpReportResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TcpReportResponse"];
            };
        };
        MonitorUptimeResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MonitorUptimeResponse"];
            };
        };
        WebVitalsBeaconResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WebVitalsBeaconResponse"];
            };
        };
        WebVitalsResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WebVitalsResponse"];
            };
        };
        MonthlyReportResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MonthlyReportResponse"];
            };
        };
        ReportedMonthList: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ReportedMonthList"];
            };
        };
        NotificationChannelList: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NotificationChannelList"];
            };
        };
        ChannelPresetList: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ChannelPresetList"];
            };
        };
        NotificationChannelResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NotificationChannelResponse"];
            };
        };
        NotificationChannelsUpdate200: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NotificationChannelResponse"];
            };
        };
        ChannelTestResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ChannelTestResponse"];
            };
        };
        NotificationLogList: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NotificationLogList"];
            };
        };
        NotificationLogDetailResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NotificationLogDetailResponse"];
            };
        };
        NotificationLogResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NotificationLogResponse"];
            };
        };
        NotificationRuleList: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NotificationRuleList"];
            };
        };
        EventTypeList: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["EventTypeList"];
            };
        };
        NotificationRuleResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NotificationRuleResponse"];
            };
        };
        NotificationRulesUpdate200: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NotificationRuleResponse"];
            };
        };
        OnCallScheduleList: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OnCallScheduleList"];
            };
        };
        OnCallScheduleResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OnCallScheduleResponse"];
            };
        };
        OnCallSchedulesUpdate200: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OnCallScheduleResponse"];
            };
        };
        OnCallNowResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OnCallNowResponse"];
            };
        };
        OnCallOverrideList: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OnCallOverrideList"];
            };
        };
        OnCallPreviewResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OnCallPreviewResponse"];
            };
        };
        OnCallSchedulesSwapReply: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OnCallSchedulesSwapReply"];
            };
        };
        PlanResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PlanResponse"];
            };
        };
        KeptMonitorsResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["KeptMonitorsResponse"];
            };
        };
        PlanKeptMonitorsReplace200: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["KeptMonitorsResponse"];
            };
        };
        PortalResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PortalResponse"];
            };
        };
        PortalUpdate200: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PortalResponse"];
            };
        };
        SecurityPolicyResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SecurityPolicyResponse"];
            };
        };
        SecurityPolicyUpdate200: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SecurityPolicyResponse"];
            };
        };
        SmtpConfigGetReply: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SmtpConfigGetReply"];
            };
        };
        SmtpConfigResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SmtpConfigResponse"];
            };
        };
        SmtpTest: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SmtpTest"];
            };
        };
        StatusPageTemplateList: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["StatusPageTemplateList"];
            };
        };
        StatusPageTemplateResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["StatusPageTemplateResponse"];
            };
        };
        StatusPageTemplatesUpdate200: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["StatusPageTemplateResponse"];
            };
        };
        FilledStatusPageTemplateResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FilledStatusPageTemplateResponse"];
            };
        };
        StatusPageList: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["StatusPageList"];
            };
        };
        StatusPageTextPreviewResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["StatusPageTextPreviewResponse"];
            };
        };
        StatusPageDetailResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["StatusPageDetailResponse"];
            };
        };
        StatusPageResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["StatusPageResponse"];
            };
        };
        StatusPageComponentList: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["StatusPageComponentList"];
            };
        };
        StatusPagesComponentsOrder200: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["StatusPageComponentList"];
            };
        };
        StatusPageComponentResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["StatusPageComponentResponse"];
            };
        };
        StatusPagesComponentsUpdate200: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["StatusPageComponentResponse"];
            };
        };
        StatusPageGroupList: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["StatusPageGroupList"];
            };
        };
        StatusPagesGroupsOrder200: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["StatusPageGroupList"];
            };
        };
        StatusPageGroupResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["StatusPageGroupResponse"];
            };
        };
        StatusPagesGroupsUpdate200: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["StatusPageGroupResponse"];
            };
        };
        StatusPagePostList: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["StatusPagePostList"];
            };
        };
        StatusPagePostResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["StatusPagePostResponse"];
            };
        };
        StatusPagesPostsUpdate200: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["StatusPagePostResponse"];
            };
        };
        StatusPageUpdateList: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["StatusPageUpdateList"];
            };
        };
        StatusPageUpdateResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["StatusPageUpdateResponse"];
            };
        };
        StatusPageSubscriberList: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["StatusPageSubscriberList"];
            };
        };
        StatusPageSubscriberCountsResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["StatusPageSubscriberCountsResponse"];
            };
        };
        StatusPageSubscribersExport200: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "text/csv": string;
            };
        };
        SubscriberImportResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SubscriberImportResponse"];
            };
        };
        StatusPageSubscriptionResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["StatusPageSubscriptionResponse"];
            };
        };
        StreamGet200: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "text/event-stream": string;
            };
        };
        TagList: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TagList"];
            };
        };
        InvoiceResponse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvoiceResponse"];
            };
        };
        ManagedTeamList: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                ETag: components["headers"]["ETag"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ManagedTeamList"];
            };
        };
    };
    parameters: {
        Prefer: string;
        WebhookId: string;
        WebhookTimestamp: string;
        WebhookSignature: string;
        XWebhookSignature: string;
        MonitorId: string;
        LabelColor: string;
        TextColor: string;
        Style: string;
        UserId: string;
        IfMatch: string;
        Page: number;
        PerPage: number;
        Status: components["schemas"]["MonitorStatus"][];
        TagValue: string[];
        Search: string;
        XTenantId: string;
        IdempotencyKey: string;
        AgentMonitorId: string;
        From: string;
        To: string;
        ResolutionValue: components["schemas"]["Resolution"];
        Metrics: components["schemas"]["ServerMetric"][];
        Token: string;
        Action: string[];
        EntityType: ("monitor" | "check" | "notification_channel" | "notification_rule" | "status_page" | "maintenance_window" | "incident" | "user" | "tenant" | "managed_tenant" | "personal_access_token" | "team_invitation" | "escalation_policy" | "escalation_step" | "on_call_schedule" | "on_call_rotation" | "monitor_template" | "provisioning_profile" | "agent" | "agent_enrolment" | "region" | "dead_event" | "quarantined_row" | "custom_domain" | "partner_sso" | "subscription" | "invoice" | "scim_token")[];
        EntityId: string;
        UserIdOfAuditLogList: string;
        FromOfAuditLogList: string;
        ToOfAuditLogList: string;
        StatusOfBillingInvoicesList: ("draft" | "open" | "paid" | "void" | "uncollectible")[];
        InvoiceId: string;
        CheckId: string;
        Cursor: string;
        RegionValue: string[];
        OutcomeValue: components["schemas"]["Outcome"][];
        ToOfChecksResultsList: string;
        Bucket: components["schemas"]["Resolution"];
        MonitorIdOfCrawlRunsList: string;
        State: ("queued" | "running" | "finished" | "failed" | "cancelled")[];
        CrawlRunId: string;
        Kind: components["schemas"]["LinkKind"][];
        StatusOfCrawlRunsPagesList: string;
        Broken: boolean;
        Mixed: boolean;
        Skipped: boolean;
        CronMonitorId: string;
        StateOfCronMonitorsPingsList: components["schemas"]["PingState"][];
        StateOfCustomDomainsList: ("pending_dns" | "verified" | "issuing" | "active" | "failed" | "expired" | "disabled")[];
        CustomDomainId: string;
        TokenOfDigestUnsubscribe: string;
        EscalationPolicyId: string;
        GeoAuditId: string;
        SeverityValue: components["schemas"]["Severity"][];
        StatusOfIncidentsList: components["schemas"]["IncidentStatus"][];
        CheckTypeValue: components["schemas"]["CheckType"][];
        MonitorIdOfIncidentsList: string;
        TagOfIncidentsList: string;
        Acknowledged: boolean;
        Snoozed: boolean;
        Archived: boolean;
        Since: string;
        Sort: "started_at" | "severity" | "updated_at" | "resolved_at" | "-started_at" | "-severity" | "-updated_at" | "-resolved_at";
        SortDir: components["schemas"]["SortDirection"];
        IncidentId: string;
        StatusOfInvitationsList: ("pending" | "accepted" | "declined" | "expired" | "revoked")[];
        InvitationId: string;
        StateOfMaintenanceWindowsList: components["schemas"]["MaintenanceState"][];
        MaintenanceWindowId: string;
        SearchOfMembersList: string;
        RoleValue: components["schemas"]["Role"][];
        StatusOfMembersList: "active" | "disabled";
        UserIdOfMembersGet: string;
        IsEnabled: boolean;
        CheckTypeOfMonitorsList: components["schemas"]["CheckType"][];
        TagOfMonitorsList: string[];
        Group: string;
        ExternalRef: string;
        SearchOfMonitorsList: string;
        CreatedAfter: string;
        CreatedBefore: string;
        SortOfMonitorsList: "created_at" | "name" | "url" | "check_interval" | "-created_at" | "-name" | "-url" | "-check_interval";
        SortDirOfMonitorsList: components["schemas"]["SortDirection"];
        CheckValue: string;
        StateOfMonitorsCrawlRunsList: ("queued" | "running" | "finished" | "failed" | "cancelled")[];
        LanguageValue: components["schemas"]["Language"];
        Month: string;
        Timezone: string;
        NotificationChannelId: string;
        StatusOfNotificationLogsList: ("pending" | "held" | "retrying" | "delivered" | "failed")[];
        Event: components["schemas"]["EventName"][];
        ChannelId: string;
        ManagedTenantId: string;
        NotificationLogId: string;
        NotificationRuleId: string;
        OnCallScheduleId: string;
        At: string;
        Override: string;
        FromOfOnCallSchedulesPreviewGet: string;
        ToOfOnCallSchedulesPreviewGet: string;
        ContactMethodId: string;
        PasskeyId: string;
        MonitorTemplateId: string;
        ProvisioningProfileId: string;
        Webhook: string;
        SsoDomainId: string;
        StatusPageTemplateId: string;
        StateOfStatusPagesList: components["schemas"]["StatusPageState"][];
        StatusPageId: string;
        Component: string;
        GroupOfStatusPagesGroupsGet: string;
        Phase: components["schemas"]["IncidentStatus"][];
        Post: string;
        Update: string;
        StateOfStatusPagesSubscribersList: ("pending" | "active" | "unsubscribed")[];
        Confirmed: boolean;
        Subscriber: string;
        Topics: string[];
        LastEventID: string;
        SearchOfTagsList: string;
        PlanValue: components["schemas"]["PlanName"][];
        TenantId: string;
        PerPageOfManagedTeamsList: number;
        ManagedTeamId: string;
    };
    requestBodies: never;
    headers: {
        "X-RateLimit-Limit": string;
        "X-RateLimit-Remaining": string;
        ETag: string;
        "X-Ignored-Parameters": string;
        "Preference-Applied": "handling=strict";
        "Retry-After": string;
        "WWW-Authenticate": string;
        "X-Ignored-Fields": string;
        "Idempotency-Replayed": "true";
        Location: string;
        "X-Vedette-Existing": "true";
        "X-Vedette-Differing": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    "agentMonitors.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
                status?: components["parameters"]["Status"];
                tag?: components["parameters"]["TagValue"];
                search?: components["parameters"]["Search"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AgentMonitorList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "agentMonitors.create": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAgentMonitor"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentMonitorsCreateReply"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "agentMonitors.get": {
        parameters: {
            path: {
                agent_monitor: components["parameters"]["AgentMonitorId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AgentMonitorResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "agentMonitors.delete": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                agent_monitor: components["parameters"]["AgentMonitorId"];
            };
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "agentMonitors.update": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                agent_monitor: components["parameters"]["AgentMonitorId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentMonitorChanges"];
            };
        };
        responses: {
            200: components["responses"]["AgentMonitorsUpdate200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "agentMonitors.metrics.list": {
        parameters: {
            query?: {
                from?: components["parameters"]["From"];
                to?: components["parameters"]["To"];
                resolution?: components["parameters"]["ResolutionValue"];
                metrics?: components["parameters"]["Metrics"];
            };
            path: {
                agent_monitor: components["parameters"]["AgentMonitorId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AgentMonitorsMetricsListReply"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "agentMonitors.rotateToken": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                agent_monitor: components["parameters"]["AgentMonitorId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentMonitorsRotateTokenRequest"];
            };
        };
        responses: {
            201: components["responses"]["AgentMonitorsRotateTokenReply"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "agents.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentList"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "agents.enrolmentTokens.create": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentsEnrolmentTokensCreateRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentsEnrolmentTokensCreateReply"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "agents.revoke": {
        parameters: {
            path: {
                agent: string;
            };
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "apiKeys.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ApiTokenList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "apiKeys.create": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeysCreateRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeysCreateReply"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "apiKeys.get": {
        parameters: {
            path: {
                token: components["parameters"]["Token"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ApiTokenResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "apiKeys.delete": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                token: components["parameters"]["Token"];
            };
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "apiKeys.update": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                token: components["parameters"]["Token"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeysUpdateRequest"];
            };
        };
        responses: {
            200: components["responses"]["ApiKeysUpdate200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "apiKeys.rotate": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                token: components["parameters"]["Token"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeysRotateRequest"];
            };
        };
        responses: {
            201: components["responses"]["ApiKeysRotateReply"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "apiTokens.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ApiTokenList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "apiTokens.create": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeysCreateRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeysCreateReply"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "apiTokens.scopes.list": {
        parameters: {
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiTokensScopesListReply"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "apiTokens.get": {
        parameters: {
            path: {
                token: components["parameters"]["Token"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ApiTokenResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "apiTokens.delete": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                token: components["parameters"]["Token"];
            };
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "apiTokens.update": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                token: components["parameters"]["Token"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeysUpdateRequest"];
            };
        };
        responses: {
            200: components["responses"]["ApiKeysUpdate200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "apiTokens.rotate": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                token: components["parameters"]["Token"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeysRotateRequest"];
            };
        };
        responses: {
            201: components["responses"]["ApiKeysRotateReply"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "auditLog.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
                action?: components["parameters"]["Action"];
                entity_type?: components["parameters"]["EntityType"];
                entity_id?: components["parameters"]["EntityId"];
                user_id?: components["parameters"]["UserIdOfAuditLogList"];
                from?: components["parameters"]["FromOfAuditLogList"];
                to?: components["parameters"]["ToOfAuditLogList"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AuditEntryList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "auditLog.filters.get": {
        parameters: {
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AuditLogFiltersGetReply"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "auth.email.confirm": {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthEmailConfirmRequest"];
            };
        };
        responses: {
            204: components["responses"]["AuthEmailConfirm204"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "auth.email.revert": {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthEmailConfirmRequest"];
            };
        };
        responses: {
            204: components["responses"]["AuthEmailConfirm204"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "auth.email.verify": {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthEmailVerifyRequest"];
            };
        };
        responses: {
            204: components["responses"]["AuthEmailConfirm204"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "auth.login": {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthLoginRequest"];
            };
        };
        responses: {
            200: components["responses"]["AuthLoginReply"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "auth.logout": {
        parameters: {
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "auth.passkeys.start": {
        parameters: {
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeySignInOptionsResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "auth.passkeys.signIn": {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthPasskeysSignInRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthPasskeysSignInReply"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "auth.password.forgot": {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthPasswordForgotRequest"];
            };
        };
        responses: {
            200: components["responses"]["AuthPasswordForgotReply"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "auth.password.reset": {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthPasswordResetRequest"];
            };
        };
        responses: {
            204: components["responses"]["AuthEmailConfirm204"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "auth.createResellerToken": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthCreateResellerTokenRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthCreateResellerTokenReply"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "auth.signUp": {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthSignUpRequest"];
            };
        };
        responses: {
            200: components["responses"]["AuthPasswordForgotReply"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "auth.signUpChallenge": {
        parameters: {
            query?: {
                portal?: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProofChallenge"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "auth.completeSignUp": {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthPasswordResetRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthCompleteSignUpReply"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "auth.stepUp": {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthStepUpRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthStepUpReply"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "auth.signIn": {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthSignInRequest"];
            };
        };
        responses: {
            201: components["responses"]["AuthSignInReply"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "auth.signOut": {
        parameters: {
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AuthSignOut200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "billing.get": {
        parameters: {
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["BillingResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "billing.cancel": {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BillingCancelRequest"];
            };
        };
        responses: {
            200: components["responses"]["BillingCancel200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "billing.checkout": {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BillingCheckoutRequest"];
            };
        };
        responses: {
            201: components["responses"]["PaymentPageResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "billing.invoices.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
                status?: components["parameters"]["StatusOfBillingInvoicesList"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["InvoiceList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "billing.invoices.get": {
        parameters: {
            path: {
                invoice: components["parameters"]["InvoiceId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "billing.payer.update": {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BillingPayerUpdateRequest"];
            };
        };
        responses: {
            200: components["responses"]["BillingCancel200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "billing.plan": {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BillingPlanRequest"];
            };
        };
        responses: {
            200: components["responses"]["BillingCancel200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "billing.planChange.delete": {
        parameters: {
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["BillingPlanChangeDelete200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "billing.planPreview.get": {
        parameters: {
            query: {
                plan: components["schemas"]["PlanName"];
                interval?: components["schemas"]["BillingInterval"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanPreviewResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "billing.portal": {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BillingPortalRequest"];
            };
        };
        responses: {
            201: components["responses"]["PaymentPageResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "billing.resume": {
        parameters: {
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["BillingPlanChangeDelete200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "billing.takeStripeEvent": {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BillingTakeStripeEventRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillingTakeStripeEventReply"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "branding.get": {
        parameters: {
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["BrandingResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "branding.update": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BrandingChanges"];
            };
        };
        responses: {
            200: components["responses"]["BrandingUpdate200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "caughtMails.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
                recipient?: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CaughtMailList"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "caughtMails.get": {
        parameters: {
            path: {
                caught_mail: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WholeCaughtMailResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "checks.timeseriesBatch": {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChecksTimeseriesBatchRequest"];
            };
        };
        responses: {
            200: components["responses"]["ChecksTimeseriesBatchReply"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "checks.get": {
        parameters: {
            path: {
                check: components["parameters"]["CheckId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["CheckResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "checks.delete": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                check: components["parameters"]["CheckId"];
            };
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "checks.update": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                check: components["parameters"]["CheckId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChecksUpdateRequest"];
            };
        };
        responses: {
            200: components["responses"]["ChecksUpdate200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "checks.disable": {
        parameters: {
            path: {
                check: components["parameters"]["CheckId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ChecksDisable200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "checks.enable": {
        parameters: {
            path: {
                check: components["parameters"]["CheckId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ChecksDisable200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "checks.requestRun": {
        parameters: {
            path: {
                check: components["parameters"]["CheckId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["CheckRunResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "checks.results.list": {
        parameters: {
            query?: {
                cursor?: components["parameters"]["Cursor"];
                per_page?: components["parameters"]["PerPage"];
                region?: components["parameters"]["RegionValue"];
                outcome?: components["parameters"]["OutcomeValue"];
                from?: components["parameters"]["FromOfAuditLogList"];
                to?: components["parameters"]["ToOfChecksResultsList"];
            };
            path: {
                check: components["parameters"]["CheckId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["CheckResultList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "checks.snooze": {
        parameters: {
            path: {
                check: components["parameters"]["CheckId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChecksSnoozeRequest"];
            };
        };
        responses: {
            200: components["responses"]["ChecksUpdate200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "checks.timeseries.list": {
        parameters: {
            query?: {
                from?: components["parameters"]["From"];
                to?: components["parameters"]["To"];
                bucket?: components["parameters"]["Bucket"];
                region?: components["parameters"]["RegionValue"];
            };
            path: {
                check: components["parameters"]["CheckId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ChecksTimeseriesListReply"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "checks.unsnooze": {
        parameters: {
            path: {
                check: components["parameters"]["CheckId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ChecksDisable200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "crawlRuns.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
                monitor_id?: components["parameters"]["MonitorIdOfCrawlRunsList"];
                state?: components["parameters"]["State"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["CrawlRunList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "crawlRuns.get": {
        parameters: {
            path: {
                crawl_run: components["parameters"]["CrawlRunId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["CrawlRunResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "crawlRuns.cancel": {
        parameters: {
            path: {
                crawl_run: components["parameters"]["CrawlRunId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["CrawlRunsCancel200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "crawlRuns.pages.list": {
        parameters: {
            query?: {
                cursor?: components["parameters"]["Cursor"];
                per_page?: components["parameters"]["PerPage"];
                kind?: components["parameters"]["Kind"];
                status?: components["parameters"]["StatusOfCrawlRunsPagesList"];
                broken?: components["parameters"]["Broken"];
                mixed?: components["parameters"]["Mixed"];
                skipped?: components["parameters"]["Skipped"];
            };
            path: {
                crawl_run: components["parameters"]["CrawlRunId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["CrawlPageList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "cronMonitors.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
                status?: components["parameters"]["Status"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["CronMonitorList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "cronMonitors.create": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewCronMonitor"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CronMonitorResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "cronMonitors.get": {
        parameters: {
            path: {
                cron_monitor: components["parameters"]["CronMonitorId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["CronMonitorResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "cronMonitors.delete": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                cron_monitor: components["parameters"]["CronMonitorId"];
            };
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "cronMonitors.update": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                cron_monitor: components["parameters"]["CronMonitorId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CronMonitorChanges"];
            };
        };
        responses: {
            200: components["responses"]["CronMonitorsUpdate200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "cronMonitors.pings.list": {
        parameters: {
            query?: {
                cursor?: components["parameters"]["Cursor"];
                per_page?: components["parameters"]["PerPage"];
                state?: components["parameters"]["StateOfCronMonitorsPingsList"];
            };
            path: {
                cron_monitor: components["parameters"]["CronMonitorId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ReceivedPingList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "cronMonitors.rotateUrl": {
        parameters: {
            path: {
                cron_monitor: components["parameters"]["CronMonitorId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentMonitorsRotateTokenRequest"];
            };
        };
        responses: {
            200: components["responses"]["CronMonitorsUpdate200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "cronMonitors.snippets.list": {
        parameters: {
            path: {
                cron_monitor: components["parameters"]["CronMonitorId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PingSnippetList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "customDomains.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
                state?: components["parameters"]["StateOfCustomDomainsList"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["CustomDomainList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "customDomains.create": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomDomainsCreateRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomDomainResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "customDomains.get": {
        parameters: {
            path: {
                custom_domain: components["parameters"]["CustomDomainId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["CustomDomainResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "customDomains.delete": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                custom_domain: components["parameters"]["CustomDomainId"];
            };
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "customDomains.update": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                custom_domain: components["parameters"]["CustomDomainId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomDomainsUpdateRequest"];
            };
        };
        responses: {
            200: components["responses"]["CustomDomainsUpdate200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "customDomains.verify": {
        parameters: {
            path: {
                custom_domain: components["parameters"]["CustomDomainId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["CustomDomainsVerify200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "dashboard.stats.get": {
        parameters: {
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DashboardStatsResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "digest.unsubscribe": {
        parameters: {
            query: {
                token: components["parameters"]["TokenOfDigestUnsubscribe"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AuthSignOut200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "customDomains.ask": {
        parameters: {
            query: {
                domain: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AskedDomain"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "escalationPolicies.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["EscalationPolicyList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "escalationPolicies.create": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewEscalationPolicy"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EscalationPolicyResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "escalationPolicies.get": {
        parameters: {
            path: {
                escalation_policy: components["parameters"]["EscalationPolicyId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["EscalationPolicyResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "escalationPolicies.delete": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                escalation_policy: components["parameters"]["EscalationPolicyId"];
            };
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "escalationPolicies.update": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                escalation_policy: components["parameters"]["EscalationPolicyId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EscalationPolicyChanges"];
            };
        };
        responses: {
            200: components["responses"]["EscalationPoliciesUpdate200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "geoAudits.get": {
        parameters: {
            path: {
                geo_audit: components["parameters"]["GeoAuditId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["GeoAuditResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "incidents.list": {
        parameters: {
            query?: {
                cursor?: components["parameters"]["Cursor"];
                per_page?: components["parameters"]["PerPage"];
                severity?: components["parameters"]["SeverityValue"];
                status?: components["parameters"]["StatusOfIncidentsList"];
                check_type?: components["parameters"]["CheckTypeValue"];
                monitor_id?: components["parameters"]["MonitorIdOfIncidentsList"];
                tag?: components["parameters"]["TagOfIncidentsList"];
                acknowledged?: components["parameters"]["Acknowledged"];
                snoozed?: components["parameters"]["Snoozed"];
                archived?: components["parameters"]["Archived"];
                since?: components["parameters"]["Since"];
                sort?: components["parameters"]["Sort"];
                sort_dir?: components["parameters"]["SortDir"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["IncidentList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "incidents.acknowledgeByLink": {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IncidentsAcknowledgeByLinkRequest"];
            };
        };
        responses: {
            200: components["responses"]["LinkedIncidentResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "incidents.lookUpAcknowledgeLink": {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IncidentsAcknowledgeByLinkRequest"];
            };
        };
        responses: {
            200: components["responses"]["LinkedIncidentResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "incidents.resolveByLink": {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IncidentsAcknowledgeByLinkRequest"];
            };
        };
        responses: {
            200: components["responses"]["LinkedIncidentResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "incidents.lookUpResolveLink": {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IncidentsAcknowledgeByLinkRequest"];
            };
        };
        responses: {
            200: components["responses"]["LinkedIncidentResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "incidents.get": {
        parameters: {
            path: {
                incident: components["parameters"]["IncidentId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["IncidentDetailResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "incidents.update": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                incident: components["parameters"]["IncidentId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IncidentsUpdateRequest"];
            };
        };
        responses: {
            200: components["responses"]["IncidentResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "incidents.acknowledge": {
        parameters: {
            path: {
                incident: components["parameters"]["IncidentId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["IncidentsAcknowledge200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "incidents.archive": {
        parameters: {
            path: {
                incident: components["parameters"]["IncidentId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["IncidentsAcknowledge200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "incidents.notifications.list": {
        parameters: {
            query?: {
                cursor?: components["parameters"]["Cursor"];
                per_page?: components["parameters"]["PerPage"];
            };
            path: {
                incident: components["parameters"]["IncidentId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["IncidentNotificationsList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "incidents.resolve": {
        parameters: {
            path: {
                incident: components["parameters"]["IncidentId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IncidentsResolveRequest"];
            };
        };
        responses: {
            200: components["responses"]["IncidentResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "incidents.snooze": {
        parameters: {
            path: {
                incident: components["parameters"]["IncidentId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IncidentsSnoozeRequest"];
            };
        };
        responses: {
            200: components["responses"]["IncidentResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "incidents.unacknowledge": {
        parameters: {
            path: {
                incident: components["parameters"]["IncidentId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["IncidentsAcknowledge200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "incidents.unarchive": {
        parameters: {
            path: {
                incident: components["parameters"]["IncidentId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["IncidentsAcknowledge200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "incidents.unsnooze": {
        parameters: {
            path: {
                incident: components["parameters"]["IncidentId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["IncidentsAcknowledge200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "incidents.updates.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
            };
            path: {
                incident: components["parameters"]["IncidentId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["IncidentUpdateList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "incidents.updates.create": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                incident: components["parameters"]["IncidentId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IncidentsUpdatesCreateRequest"];
            };
        };
        responses: {
            201: components["responses"]["IncidentUpdateResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "invitations.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
                status?: components["parameters"]["StatusOfInvitationsList"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["InvitationList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "invitations.create": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitationsCreateRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationsCreateReply"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "invitations.accept": {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitationsAcceptRequest"];
            };
        };
        responses: {
            201: components["responses"]["AuthSignInReply"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "invitations.decline": {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthEmailConfirmRequest"];
            };
        };
        responses: {
            204: components["responses"]["AuthEmailConfirm204"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "invitations.lookup": {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthEmailConfirmRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationsLookupReply"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "invitations.get": {
        parameters: {
            path: {
                invitation: components["parameters"]["InvitationId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["InvitationResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "invitations.delete": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                invitation: components["parameters"]["InvitationId"];
            };
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "invitations.resend": {
        parameters: {
            path: {
                invitation: components["parameters"]["InvitationId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["InvitationsCreateReply"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "mailBudget.get": {
        parameters: {
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["MailBudgetResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "mailRecipients.confirm": {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthEmailConfirmRequest"];
            };
        };
        responses: {
            204: components["responses"]["AuthEmailConfirm204"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "mailRecipients.unsubscribe": {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthEmailConfirmRequest"];
            };
        };
        responses: {
            204: components["responses"]["AuthEmailConfirm204"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "maintenanceWindows.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
                state?: components["parameters"]["StateOfMaintenanceWindowsList"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["MaintenanceWindowList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "maintenanceWindows.create": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewMaintenanceWindow"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MaintenanceWindowResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "maintenanceCalendar.create": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
        };
        requestBody?: never;
        responses: {
            201: components["responses"]["MaintenanceCalendarResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "maintenanceCalendar.delete": {
        parameters: {
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "maintenanceWindows.get": {
        parameters: {
            path: {
                maintenance_window: components["parameters"]["MaintenanceWindowId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["MaintenanceWindowResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "maintenanceWindows.delete": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                maintenance_window: components["parameters"]["MaintenanceWindowId"];
            };
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "maintenanceWindows.update": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                maintenance_window: components["parameters"]["MaintenanceWindowId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MaintenanceWindowChanges"];
            };
        };
        responses: {
            200: components["responses"]["MaintenanceWindowsUpdate200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "maintenanceWindows.cancel": {
        parameters: {
            path: {
                maintenance_window: components["parameters"]["MaintenanceWindowId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["MaintenanceWindowsCancel200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "maintenanceWindows.extend": {
        parameters: {
            path: {
                maintenance_window: components["parameters"]["MaintenanceWindowId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MaintenanceWindowsExtendRequest"];
            };
        };
        responses: {
            200: components["responses"]["MaintenanceWindowsUpdate200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "maintenanceWindows.start": {
        parameters: {
            path: {
                maintenance_window: components["parameters"]["MaintenanceWindowId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["MaintenanceWindowsCancel200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "maintenanceWindows.stop": {
        parameters: {
            path: {
                maintenance_window: components["parameters"]["MaintenanceWindowId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["MaintenanceWindowsCancel200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "members.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
                search?: components["parameters"]["SearchOfMembersList"];
                role?: components["parameters"]["RoleValue"];
                status?: components["parameters"]["StatusOfMembersList"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["MemberList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "members.get": {
        parameters: {
            path: {
                user_id: components["parameters"]["UserIdOfMembersGet"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["MemberResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "members.delete": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                user_id: components["parameters"]["UserIdOfMembersGet"];
            };
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "members.update": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                user_id: components["parameters"]["UserIdOfMembersGet"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MembersUpdateRequest"];
            };
        };
        responses: {
            200: components["responses"]["MembersUpdate200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "members.resetMfa": {
        parameters: {
            path: {
                user_id: components["parameters"]["UserIdOfMembersGet"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["MembersResetMfa200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
                is_enabled?: components["parameters"]["IsEnabled"];
                status?: components["parameters"]["Status"];
                check_type?: components["parameters"]["CheckTypeOfMonitorsList"];
                tag?: components["parameters"]["TagOfMonitorsList"];
                group?: components["parameters"]["Group"];
                external_ref?: components["parameters"]["ExternalRef"];
                search?: components["parameters"]["SearchOfMonitorsList"];
                created_after?: components["parameters"]["CreatedAfter"];
                created_before?: components["parameters"]["CreatedBefore"];
                sort?: components["parameters"]["SortOfMonitorsList"];
                sort_dir?: components["parameters"]["SortDirOfMonitorsList"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["MonitorList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.create": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewMonitor"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitorResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.createMany": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MonitorsCreateManyRequest"];
            };
        };
        responses: {
            201: components["responses"]["MonitorsCreateManyReply"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.updateMany": {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MonitorsUpdateManyRequest"];
            };
        };
        responses: {
            200: components["responses"]["MonitorsUpdateMany200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.statsBatch": {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MonitorsStatsBatchRequest"];
            };
        };
        responses: {
            200: components["responses"]["MonitorsStatsBatchReply"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.uptimeBatch": {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MonitorsUptimeBatchRequest"];
            };
        };
        responses: {
            200: components["responses"]["UptimeByDayResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.get": {
        parameters: {
            path: {
                monitor: components["parameters"]["MonitorId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["MonitorResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.delete": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                monitor: components["parameters"]["MonitorId"];
            };
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.update": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                monitor: components["parameters"]["MonitorId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MonitorChanges"];
            };
        };
        responses: {
            200: components["responses"]["MonitorsUpdate200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.agent.get": {
        parameters: {
            path: {
                monitor: components["parameters"]["MonitorId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ServerNowResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.brokenLinks.get": {
        parameters: {
            query?: {
                from?: components["parameters"]["FromOfAuditLogList"];
                to?: components["parameters"]["ToOfChecksResultsList"];
                check?: components["parameters"]["CheckValue"];
            };
            path: {
                monitor: components["parameters"]["MonitorId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["BrokenLinksReportResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.certificate.get": {
        parameters: {
            query?: {
                from?: components["parameters"]["FromOfAuditLogList"];
                to?: components["parameters"]["ToOfChecksResultsList"];
                check?: components["parameters"]["CheckValue"];
            };
            path: {
                monitor: components["parameters"]["MonitorId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["CertificateReportResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.checks.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
                is_enabled?: components["parameters"]["IsEnabled"];
            };
            path: {
                monitor: components["parameters"]["MonitorId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["CheckList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.checks.create": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                monitor: components["parameters"]["MonitorId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewCheck"];
            };
        };
        responses: {
            201: components["responses"]["MonitorsChecksCreate201"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.checks.get": {
        parameters: {
            path: {
                monitor: components["parameters"]["MonitorId"];
                check: components["parameters"]["CheckId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["CheckResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.checks.delete": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                monitor: components["parameters"]["MonitorId"];
                check: components["parameters"]["CheckId"];
            };
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.checks.update": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                monitor: components["parameters"]["MonitorId"];
                check: components["parameters"]["CheckId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChecksUpdateRequest"];
            };
        };
        responses: {
            200: components["responses"]["ChecksUpdate200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.checks.disable": {
        parameters: {
            path: {
                monitor: components["parameters"]["MonitorId"];
                check: components["parameters"]["CheckId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ChecksDisable200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.checks.enable": {
        parameters: {
            path: {
                monitor: components["parameters"]["MonitorId"];
                check: components["parameters"]["CheckId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ChecksDisable200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.checks.requestRun": {
        parameters: {
            path: {
                monitor: components["parameters"]["MonitorId"];
                check: components["parameters"]["CheckId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["CheckRunResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.checks.results.list": {
        parameters: {
            query?: {
                cursor?: components["parameters"]["Cursor"];
                per_page?: components["parameters"]["PerPage"];
                region?: components["parameters"]["RegionValue"];
                outcome?: components["parameters"]["OutcomeValue"];
                from?: components["parameters"]["FromOfAuditLogList"];
                to?: components["parameters"]["ToOfChecksResultsList"];
            };
            path: {
                monitor: components["parameters"]["MonitorId"];
                check: components["parameters"]["CheckId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["CheckResultList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.checks.snooze": {
        parameters: {
            path: {
                monitor: components["parameters"]["MonitorId"];
                check: components["parameters"]["CheckId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChecksSnoozeRequest"];
            };
        };
        responses: {
            200: components["responses"]["ChecksUpdate200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.checks.timeseries.list": {
        parameters: {
            query?: {
                from?: components["parameters"]["From"];
                to?: components["parameters"]["To"];
                bucket?: components["parameters"]["Bucket"];
                region?: components["parameters"]["RegionValue"];
            };
            path: {
                monitor: components["parameters"]["MonitorId"];
                check: components["parameters"]["CheckId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ChecksTimeseriesListReply"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.checks.unsnooze": {
        parameters: {
            path: {
                monitor: components["parameters"]["MonitorId"];
                check: components["parameters"]["CheckId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ChecksDisable200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.crawlRuns.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
                state?: components["parameters"]["StateOfMonitorsCrawlRunsList"];
            };
            path: {
                monitor: components["parameters"]["MonitorId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["CrawlRunList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.crawlRuns.create": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                monitor: components["parameters"]["MonitorId"];
            };
        };
        requestBody?: never;
        responses: {
            201: components["responses"]["MonitorsCrawlRunsCreate201"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.disable": {
        parameters: {
            path: {
                monitor: components["parameters"]["MonitorId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["MonitorsDisable200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.dnsHistory.get": {
        parameters: {
            query?: {
                from?: components["parameters"]["FromOfAuditLogList"];
                to?: components["parameters"]["ToOfChecksResultsList"];
                check?: components["parameters"]["CheckValue"];
            };
            path: {
                monitor: components["parameters"]["MonitorId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DnsHistoryReportResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.dnsbl.get": {
        parameters: {
            query?: {
                from?: components["parameters"]["FromOfAuditLogList"];
                to?: components["parameters"]["ToOfChecksResultsList"];
                check?: components["parameters"]["CheckValue"];
            };
            path: {
                monitor: components["parameters"]["MonitorId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DnsblReportResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.domainExpiry.get": {
        parameters: {
            query?: {
                from?: components["parameters"]["FromOfAuditLogList"];
                to?: components["parameters"]["ToOfChecksResultsList"];
                check?: components["parameters"]["CheckValue"];
            };
            path: {
                monitor: components["parameters"]["MonitorId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DomainExpiryReportResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.enable": {
        parameters: {
            path: {
                monitor: components["parameters"]["MonitorId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["MonitorsDisable200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.geoAudits.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
            };
            path: {
                monitor: components["parameters"]["MonitorId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["GeoAuditItemList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.geoAudits.create": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                monitor: components["parameters"]["MonitorId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MonitorsGeoAuditsCreateRequest"];
            };
        };
        responses: {
            201: components["responses"]["MonitorsGeoAuditsCreate201"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.health.get": {
        parameters: {
            query?: {
                from?: components["parameters"]["FromOfAuditLogList"];
                to?: components["parameters"]["ToOfChecksResultsList"];
                check?: components["parameters"]["CheckValue"];
            };
            path: {
                monitor: components["parameters"]["MonitorId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["HealthReportResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.lighthouse.get": {
        parameters: {
            query?: {
                from?: components["parameters"]["FromOfAuditLogList"];
                to?: components["parameters"]["ToOfChecksResultsList"];
                check?: components["parameters"]["CheckValue"];
            };
            path: {
                monitor: components["parameters"]["MonitorId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["LighthouseReportResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.mixedContent.get": {
        parameters: {
            query?: {
                from?: components["parameters"]["FromOfAuditLogList"];
                to?: components["parameters"]["ToOfChecksResultsList"];
                check?: components["parameters"]["CheckValue"];
            };
            path: {
                monitor: components["parameters"]["MonitorId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["MixedContentReportResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.performance.get": {
        parameters: {
            query?: {
                from?: components["parameters"]["FromOfAuditLogList"];
                to?: components["parameters"]["ToOfChecksResultsList"];
            };
            path: {
                monitor: components["parameters"]["MonitorId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["MonitorPerformanceResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.ping.get": {
        parameters: {
            query?: {
                from?: components["parameters"]["FromOfAuditLogList"];
                to?: components["parameters"]["ToOfChecksResultsList"];
                check?: components["parameters"]["CheckValue"];
            };
            path: {
                monitor: components["parameters"]["MonitorId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PingReportResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.redirectChain.get": {
        parameters: {
            query?: {
                from?: components["parameters"]["FromOfAuditLogList"];
                to?: components["parameters"]["ToOfChecksResultsList"];
                check?: components["parameters"]["CheckValue"];
            };
            path: {
                monitor: components["parameters"]["MonitorId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RedirectChainReportResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.report.get": {
        parameters: {
            query?: {
                from?: components["parameters"]["FromOfAuditLogList"];
                to?: components["parameters"]["ToOfChecksResultsList"];
            };
            path: {
                monitor: components["parameters"]["MonitorId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["MonitorReportResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.report.pdf.get": {
        parameters: {
            query?: {
                from?: components["parameters"]["FromOfAuditLogList"];
                to?: components["parameters"]["ToOfChecksResultsList"];
                language?: components["parameters"]["LanguageValue"];
            };
            path: {
                monitor: components["parameters"]["MonitorId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["MonitorsReportPdfGet200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.robotsTxt.get": {
        parameters: {
            query?: {
                from?: components["parameters"]["FromOfAuditLogList"];
                to?: components["parameters"]["ToOfChecksResultsList"];
                check?: components["parameters"]["CheckValue"];
            };
            path: {
                monitor: components["parameters"]["MonitorId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RobotsTxtReportResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.securityHeaders.get": {
        parameters: {
            query?: {
                from?: components["parameters"]["FromOfAuditLogList"];
                to?: components["parameters"]["ToOfChecksResultsList"];
                check?: components["parameters"]["CheckValue"];
            };
            path: {
                monitor: components["parameters"]["MonitorId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["SecurityHeadersReportResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.simulate": {
        parameters: {
            path: {
                monitor: components["parameters"]["MonitorId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MonitorsSimulateRequest"];
            };
        };
        responses: {
            200: components["responses"]["SimulationResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.sitemap.get": {
        parameters: {
            query?: {
                from?: components["parameters"]["FromOfAuditLogList"];
                to?: components["parameters"]["ToOfChecksResultsList"];
                check?: components["parameters"]["CheckValue"];
            };
            path: {
                monitor: components["parameters"]["MonitorId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["SitemapReportResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.slo.get": {
        parameters: {
            path: {
                monitor: components["parameters"]["MonitorId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["SloStateResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.tcp.get": {
        parameters: {
            query?: {
                from?: components["parameters"]["FromOfAuditLogList"];
                to?: components["parameters"]["ToOfChecksResultsList"];
                check?: components["parameters"]["CheckValue"];
            };
            path: {
                monitor: components["parameters"]["MonitorId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["TcpReportResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.uptime.get": {
        parameters: {
            query?: {
                from?: components["parameters"]["FromOfAuditLogList"];
                to?: components["parameters"]["ToOfChecksResultsList"];
            };
            path: {
                monitor: components["parameters"]["MonitorId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["MonitorUptimeResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.webVitals.get": {
        parameters: {
            query?: {
                from?: components["parameters"]["FromOfAuditLogList"];
                to?: components["parameters"]["ToOfChecksResultsList"];
            };
            path: {
                monitor: components["parameters"]["MonitorId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["WebVitalsResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.webVitals.enable": {
        parameters: {
            path: {
                monitor: components["parameters"]["MonitorId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MonitorsWebVitalsEnableRequest"];
            };
        };
        responses: {
            200: components["responses"]["WebVitalsBeaconResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monitors.webVitals.disable": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                monitor: components["parameters"]["MonitorId"];
            };
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monthlyReport.get": {
        parameters: {
            query?: {
                month?: components["parameters"]["Month"];
                timezone?: components["parameters"]["Timezone"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["MonthlyReportResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monthlyReport.pdf.get": {
        parameters: {
            query?: {
                month?: components["parameters"]["Month"];
                timezone?: components["parameters"]["Timezone"];
                language?: components["parameters"]["LanguageValue"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["MonitorsReportPdfGet200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monthlyReport.unsubscribe": {
        parameters: {
            query: {
                token: components["parameters"]["TokenOfDigestUnsubscribe"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AuthSignOut200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "monthlyReports.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
                timezone?: components["parameters"]["Timezone"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ReportedMonthList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "notificationChannels.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["NotificationChannelList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "notificationChannels.create": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewNotificationChannel"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationChannelResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "channelPresets.list": {
        parameters: {
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ChannelPresetList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "notificationChannels.get": {
        parameters: {
            path: {
                notification_channel: components["parameters"]["NotificationChannelId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["NotificationChannelResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "notificationChannels.delete": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                notification_channel: components["parameters"]["NotificationChannelId"];
            };
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "notificationChannels.update": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                notification_channel: components["parameters"]["NotificationChannelId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NotificationChannelChanges"];
            };
        };
        responses: {
            200: components["responses"]["NotificationChannelsUpdate200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "notificationChannels.recipients.resend": {
        parameters: {
            path: {
                notification_channel: components["parameters"]["NotificationChannelId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NotificationChannelsRecipientsResendRequest"];
            };
        };
        responses: {
            204: components["responses"]["AuthEmailConfirm204"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "notificationChannels.test": {
        parameters: {
            path: {
                notification_channel: components["parameters"]["NotificationChannelId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NotificationChannelsTestRequest"];
            };
        };
        responses: {
            200: components["responses"]["ChannelTestResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "notificationLogs.list": {
        parameters: {
            query?: {
                cursor?: components["parameters"]["Cursor"];
                per_page?: components["parameters"]["PerPage"];
                status?: components["parameters"]["StatusOfNotificationLogsList"];
                event?: components["parameters"]["Event"];
                channel_id?: components["parameters"]["ChannelId"];
                monitor_id?: components["parameters"]["MonitorIdOfIncidentsList"];
                managed_tenant_id?: components["parameters"]["ManagedTenantId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["NotificationLogList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "notificationLogs.get": {
        parameters: {
            path: {
                notification_log: components["parameters"]["NotificationLogId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["NotificationLogDetailResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "notificationLogs.replay": {
        parameters: {
            path: {
                notification_log: components["parameters"]["NotificationLogId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["NotificationLogResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "notificationRules.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["NotificationRuleList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "notificationRules.create": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NotificationRulesCreateRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationRuleResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "notificationRules.eventTypes.list": {
        parameters: {
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["EventTypeList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "notificationRules.get": {
        parameters: {
            path: {
                notification_rule: components["parameters"]["NotificationRuleId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["NotificationRuleResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "notificationRules.delete": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                notification_rule: components["parameters"]["NotificationRuleId"];
            };
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "notificationRules.update": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                notification_rule: components["parameters"]["NotificationRuleId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NotificationRulesUpdateRequest"];
            };
        };
        responses: {
            200: components["responses"]["NotificationRulesUpdate200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "onCallSchedules.calendar.read": {
        parameters: {
            path: {
                token: string;
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["MaintenanceCalendarRead200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "onCallSchedules.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OnCallScheduleList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "onCallSchedules.create": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewOnCallSchedule"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OnCallScheduleResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "onCallSchedules.calendar.get": {
        parameters: {
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OnCallSchedulesCalendarGetReply"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "onCallSchedules.calendar.rotate": {
        parameters: {
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OnCallCalendarAddressResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "onCallSchedules.calendar.delete": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "onCallSchedules.get": {
        parameters: {
            path: {
                on_call_schedule: components["parameters"]["OnCallScheduleId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OnCallScheduleResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "onCallSchedules.delete": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                on_call_schedule: components["parameters"]["OnCallScheduleId"];
            };
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "onCallSchedules.update": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                on_call_schedule: components["parameters"]["OnCallScheduleId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OnCallScheduleChanges"];
            };
        };
        responses: {
            200: components["responses"]["OnCallSchedulesUpdate200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "onCallSchedules.current.get": {
        parameters: {
            query?: {
                at?: components["parameters"]["At"];
            };
            path: {
                on_call_schedule: components["parameters"]["OnCallScheduleId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OnCallNowResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "onCallSchedules.overrides.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
            };
            path: {
                on_call_schedule: components["parameters"]["OnCallScheduleId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OnCallOverrideList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "onCallSchedules.overrides.create": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                on_call_schedule: components["parameters"]["OnCallScheduleId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewOnCallOverride"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OnCallOverrideResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "onCallSchedules.overrides.delete": {
        parameters: {
            path: {
                on_call_schedule: components["parameters"]["OnCallScheduleId"];
                override: components["parameters"]["Override"];
            };
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "onCallSchedules.preview.get": {
        parameters: {
            query?: {
                from?: components["parameters"]["FromOfOnCallSchedulesPreviewGet"];
                to?: components["parameters"]["ToOfOnCallSchedulesPreviewGet"];
            };
            path: {
                on_call_schedule: components["parameters"]["OnCallScheduleId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OnCallPreviewResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "onCallSchedules.swap": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                on_call_schedule: components["parameters"]["OnCallScheduleId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewOnCallSwap"];
            };
        };
        responses: {
            201: components["responses"]["OnCallSchedulesSwapReply"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "plan.get": {
        parameters: {
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PlanResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "plan.keptMonitors.get": {
        parameters: {
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["KeptMonitorsResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "plan.keptMonitors.replace": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlanKeptMonitorsReplaceRequest"];
            };
        };
        responses: {
            200: components["responses"]["PlanKeptMonitorsReplace200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "platform.deadEvents.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
                kind?: "event" | "workflow" | "signal";
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeadEventList"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "platform.deadEvents.replay": {
        parameters: {
            path: {
                dead_event: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeadEventResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "platform.health.get": {
        parameters: {
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlatformHealthResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "platform.info.get": {
        parameters: {
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlatformInfoResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "platform.quarantine.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
                kind?: "agent" | "billing_event" | "check" | "check_facts" | "crawl_run" | "custom_domain" | "delivery" | "digest" | "durable_step" | "escalation_run" | "flapping" | "heartbeat" | "mail" | "maintenance_window" | "monitor_status" | "monthly_report" | "notification_channel" | "notification_rule" | "on_call_schedule" | "ping_retention" | "purged_tenant" | "pushed_report" | "result" | "server" | "server_metrics" | "smtp_server" | "storm" | "sso_domain" | "stored_secret" | "subscriber_mailing" | "subscriber_message" | "suppressed_incident" | "suppressed_warning" | "usage" | "verdict" | "verdict_write" | "web_vitals";
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuarantinedRowList"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "platform.quarantine.retry": {
        parameters: {
            path: {
                quarantined_row: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuarantinedRowResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "platform.regions.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlatformRegionList"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "platform.regions.delete": {
        parameters: {
            path: {
                region: string;
            };
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "portal.get": {
        parameters: {
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PortalResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "portal.update": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PortalUpdateRequest"];
            };
        };
        responses: {
            200: components["responses"]["PortalUpdate200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "profile.get": {
        parameters: {
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProfileResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "profile.delete": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProfileDeleteRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErasureResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "profile.update": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProfileUpdateRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProfileResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "profile.contactMethods.list": {
        parameters: {
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactMethodList"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "profile.contactMethods.create": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProfileContactMethodsCreateRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactMethodResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "profile.contactMethods.delete": {
        parameters: {
            path: {
                contact_method: components["parameters"]["ContactMethodId"];
            };
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "profile.contactMethods.update": {
        parameters: {
            path: {
                contact_method: components["parameters"]["ContactMethodId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProfileContactMethodsUpdateRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactMethodResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "profile.contactMethods.test": {
        parameters: {
            path: {
                contact_method: components["parameters"]["ContactMethodId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NotificationChannelsTestRequest"];
            };
        };
        responses: {
            200: components["responses"]["ChannelTestResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "profile.changeEmail": {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProfileChangeEmailRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProfileChangeEmailReply"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "profile.requestVerification": {
        parameters: {
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AuthSignOut200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "profile.export": {
        parameters: {
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProfileExportReply"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "profile.invitations.accept": {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthEmailConfirmRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProfileInvitationsAcceptReply"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "profile.mfa.get": {
        parameters: {
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProfileMfaGetReply"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "profile.mfa.start": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProfileMfaStartRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProfileMfaStartReply"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "profile.mfa.disable": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProfileMfaDisableRequest"];
            };
        };
        responses: {
            204: components["responses"]["AuthEmailConfirm204"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "profile.mfa.confirm": {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProfileMfaConfirmRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProfileMfaConfirmReply"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "profile.mfa.renewRecoveryCodes": {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProfileMfaDisableRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProfileMfaRenewRecoveryCodesReply"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "profile.passkeys.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyList"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "profile.passkeys.create": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProfilePasskeysCreateRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "profile.passkeys.start": {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProfilePasskeysStartRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyRegistrationOptionsResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "profile.passkeys.delete": {
        parameters: {
            path: {
                passkey: components["parameters"]["PasskeyId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProfilePasskeysDeleteRequest"];
            };
        };
        responses: {
            204: components["responses"]["AuthEmailConfirm204"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "profile.passkeys.update": {
        parameters: {
            path: {
                passkey: components["parameters"]["PasskeyId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProfilePasskeysUpdateRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "profile.changePassword": {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProfileChangePasswordRequest"];
            };
        };
        responses: {
            204: components["responses"]["AuthEmailConfirm204"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "profile.sessions.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionList"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "profile.sessions.endOthers": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProfileSessionsEndOthersReply"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "profile.sessions.end": {
        parameters: {
            path: {
                session: string;
            };
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "profile.teams.leave": {
        parameters: {
            path: {
                tenant_id: string;
            };
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "profile.trustedDevices.list": {
        parameters: {
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrustedDeviceList"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "profile.trustedDevices.deleteAll": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProfileTrustedDevicesDeleteAllReply"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "profile.trustedDevices.delete": {
        parameters: {
            path: {
                trusted_device: string;
            };
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "regions.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegionList"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "reseller.customDomains.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
                state?: components["parameters"]["StateOfCustomDomainsList"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["CustomDomainList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "reseller.customDomains.create": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomDomainsCreateRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomDomainResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "reseller.customDomains.get": {
        parameters: {
            path: {
                custom_domain: components["parameters"]["CustomDomainId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["CustomDomainResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "reseller.customDomains.delete": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                custom_domain: components["parameters"]["CustomDomainId"];
            };
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "reseller.customDomains.update": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                custom_domain: components["parameters"]["CustomDomainId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomDomainsUpdateRequest"];
            };
        };
        responses: {
            200: components["responses"]["CustomDomainsUpdate200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "reseller.customDomains.verify": {
        parameters: {
            path: {
                custom_domain: components["parameters"]["CustomDomainId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["CustomDomainsVerify200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "reseller.emailSuppression.get": {
        parameters: {
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailSuppressionResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "reseller.emailSuppression.replace": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResellerEmailSuppressionReplaceRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailSuppressionResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "reseller.incidents.batchAcknowledge": {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResellerIncidentsBatchAcknowledgeRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResellerIncidentsBatchAcknowledgeReply"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "managedTeams.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPageOfManagedTeamsList"];
                search?: string;
                plan?: components["parameters"]["PlanValue"];
                status?: "active" | "paused" | "trial";
                has_incidents?: boolean;
                trial_expires_before?: string;
                external_ref?: components["parameters"]["ExternalRef"];
                sort?: "created_at" | "name" | "monitors_count" | "-created_at" | "-name" | "-monitors_count";
                sort_dir?: components["parameters"]["SortDirOfMonitorsList"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ManagedTeamList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "managedTeams.create": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ManagedTeamsCreateRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Vedette-Existing": components["headers"]["X-Vedette-Existing"];
                    "X-Vedette-Differing": components["headers"]["X-Vedette-Differing"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManagedTeamsCreateReply"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "managedTeams.batch": {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ManagedTeamsBatchRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManagedTeamsBatchReply"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "managedTeams.trashed.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPageOfManagedTeamsList"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ManagedTeamList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "managedTeams.get": {
        parameters: {
            path: {
                managed_team: components["parameters"]["ManagedTeamId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManagedTeamResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "managedTeams.delete": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                managed_team: components["parameters"]["ManagedTeamId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ManagedTeamsDeleteRequest"];
            };
        };
        responses: {
            204: components["responses"]["AuthEmailConfirm204"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "managedTeams.update": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                managed_team: components["parameters"]["ManagedTeamId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ManagedTeamsUpdateRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManagedTeamResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "reseller.monitorTemplates.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitorTemplateList"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "reseller.monitorTemplates.create": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewMonitorTemplate"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitorTemplateResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "reseller.monitorTemplates.get": {
        parameters: {
            path: {
                monitor_template: components["parameters"]["MonitorTemplateId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitorTemplateResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "reseller.monitorTemplates.delete": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                monitor_template: components["parameters"]["MonitorTemplateId"];
            };
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "reseller.monitorTemplates.update": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                monitor_template: components["parameters"]["MonitorTemplateId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MonitorTemplateChanges"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitorTemplateResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "reseller.overview.get": {
        parameters: {
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResellerOverviewResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "reseller.portal.get": {
        parameters: {
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PortalResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "reseller.portal.update": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PortalUpdateRequest"];
            };
        };
        responses: {
            200: components["responses"]["PortalUpdate200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "reseller.provisioningProfiles.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProvisioningProfileList"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "reseller.provisioningProfiles.create": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewProvisioningProfile"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProvisioningProfileResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "reseller.provisioningProfiles.get": {
        parameters: {
            path: {
                provisioning_profile: components["parameters"]["ProvisioningProfileId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProvisioningProfileResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "reseller.provisioningProfiles.delete": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                provisioning_profile: components["parameters"]["ProvisioningProfileId"];
            };
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "reseller.provisioningProfiles.update": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                provisioning_profile: components["parameters"]["ProvisioningProfileId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProvisioningProfileChanges"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProvisioningProfileResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "reseller.tokens.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResellerTokenList"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "reseller.tokens.create": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthCreateResellerTokenRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthCreateResellerTokenReply"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "reseller.tokens.scopes.list": {
        parameters: {
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResellerTokensScopesListReply"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "reseller.tokens.get": {
        parameters: {
            path: {
                token: components["parameters"]["Token"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResellerTokenResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "reseller.tokens.delete": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                token: components["parameters"]["Token"];
            };
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "reseller.tokens.rotate": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                token: components["parameters"]["Token"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeysRotateRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResellerTokensRotateReply"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "reseller.tokens.toggle": {
        parameters: {
            path: {
                token: components["parameters"]["Token"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResellerTokenResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "reseller.webhooks.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResellerWebhookList"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "reseller.webhooks.create": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResellerWebhooksCreateRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResellerWebhookResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "reseller.webhooks.get": {
        parameters: {
            path: {
                webhook: components["parameters"]["Webhook"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResellerWebhookResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "reseller.webhooks.delete": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                webhook: components["parameters"]["Webhook"];
            };
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "reseller.webhooks.update": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                webhook: components["parameters"]["Webhook"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResellerWebhooksUpdateRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResellerWebhookResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "reseller.webhooks.deliveries.list": {
        parameters: {
            query?: {
                cursor?: components["parameters"]["Cursor"];
                per_page?: components["parameters"]["PerPage"];
                status?: components["parameters"]["StatusOfNotificationLogsList"];
                event?: components["parameters"]["Event"];
                monitor_id?: components["parameters"]["MonitorIdOfIncidentsList"];
                managed_tenant_id?: components["parameters"]["ManagedTenantId"];
            };
            path: {
                webhook: components["parameters"]["Webhook"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["NotificationLogList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "scimTokens.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScimTokenList"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "scimTokens.create": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScimTokensCreateRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScimTokensCreateReply"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "scimTokens.delete": {
        parameters: {
            path: {
                scim_token: string;
            };
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "securityPolicy.get": {
        parameters: {
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["SecurityPolicyResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "securityPolicy.update": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecurityPolicyUpdateRequest"];
            };
        };
        responses: {
            200: components["responses"]["SecurityPolicyUpdate200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "setup.get": {
        parameters: {
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetupResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "setup.create": {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetupCreateRequest"];
            };
        };
        responses: {
            201: components["responses"]["AuthLoginReply"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "smtpConfig.get": {
        parameters: {
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["SmtpConfigGetReply"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "smtpConfig.delete": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "smtpConfig.update": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SmtpConfigChanges"];
            };
        };
        responses: {
            200: components["responses"]["SmtpConfigResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "smtpConfig.test": {
        parameters: {
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["SmtpTest"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "sso.attempts.list": {
        parameters: {
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoAttemptList"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "sso.config.get": {
        parameters: {
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoConfigGetReply"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "sso.config.delete": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "sso.config.update": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SsoConfigUpdateRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoConfigResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "sso.config.test": {
        parameters: {
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoTestResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "sso.domains.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoDomainList"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "sso.domains.create": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SsoDomainsCreateRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoDomainResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "sso.domains.get": {
        parameters: {
            path: {
                sso_domain: components["parameters"]["SsoDomainId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoDomainResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "sso.domains.delete": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                sso_domain: components["parameters"]["SsoDomainId"];
            };
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "sso.domains.verify": {
        parameters: {
            path: {
                sso_domain: components["parameters"]["SsoDomainId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoDomainResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusPageTemplates.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["StatusPageTemplateList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusPageTemplates.create": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewStatusPageTemplate"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatusPageTemplateResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusPageTemplates.get": {
        parameters: {
            path: {
                status_page_template: components["parameters"]["StatusPageTemplateId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["StatusPageTemplateResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusPageTemplates.delete": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                status_page_template: components["parameters"]["StatusPageTemplateId"];
            };
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusPageTemplates.update": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                status_page_template: components["parameters"]["StatusPageTemplateId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StatusPageTemplateChanges"];
            };
        };
        responses: {
            200: components["responses"]["StatusPageTemplatesUpdate200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusPageTemplates.fill": {
        parameters: {
            path: {
                status_page_template: components["parameters"]["StatusPageTemplateId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StatusPageTemplatesFillRequest"];
            };
        };
        responses: {
            200: components["responses"]["FilledStatusPageTemplateResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusPages.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
                state?: components["parameters"]["StateOfStatusPagesList"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["StatusPageList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusPages.create": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewStatusPage"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatusPageResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusPages.previewText": {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StatusPagesPreviewTextRequest"];
            };
        };
        responses: {
            200: components["responses"]["StatusPageTextPreviewResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusPages.get": {
        parameters: {
            path: {
                status_page: components["parameters"]["StatusPageId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["StatusPageDetailResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusPages.delete": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                status_page: components["parameters"]["StatusPageId"];
            };
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusPages.update": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                status_page: components["parameters"]["StatusPageId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StatusPageChanges"];
            };
        };
        responses: {
            200: components["responses"]["StatusPageResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusPages.components.list": {
        parameters: {
            path: {
                status_page: components["parameters"]["StatusPageId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["StatusPageComponentList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusPages.components.create": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                status_page: components["parameters"]["StatusPageId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewStatusPageComponent"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatusPageComponentResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusPages.components.order": {
        parameters: {
            path: {
                status_page: components["parameters"]["StatusPageId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StatusPagesComponentsOrderRequest"];
            };
        };
        responses: {
            200: components["responses"]["StatusPagesComponentsOrder200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusPages.components.get": {
        parameters: {
            path: {
                status_page: components["parameters"]["StatusPageId"];
                component: components["parameters"]["Component"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["StatusPageComponentResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusPages.components.delete": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                status_page: components["parameters"]["StatusPageId"];
                component: components["parameters"]["Component"];
            };
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusPages.components.update": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                status_page: components["parameters"]["StatusPageId"];
                component: components["parameters"]["Component"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StatusPageComponentChanges"];
            };
        };
        responses: {
            200: components["responses"]["StatusPagesComponentsUpdate200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusPages.groups.list": {
        parameters: {
            path: {
                status_page: components["parameters"]["StatusPageId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["StatusPageGroupList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusPages.groups.create": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                status_page: components["parameters"]["StatusPageId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewStatusPageGroup"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatusPageGroupResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusPages.groups.order": {
        parameters: {
            path: {
                status_page: components["parameters"]["StatusPageId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StatusPagesGroupsOrderRequest"];
            };
        };
        responses: {
            200: components["responses"]["StatusPagesGroupsOrder200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusPages.groups.get": {
        parameters: {
            path: {
                status_page: components["parameters"]["StatusPageId"];
                group: components["parameters"]["GroupOfStatusPagesGroupsGet"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["StatusPageGroupResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusPages.groups.delete": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                status_page: components["parameters"]["StatusPageId"];
                group: components["parameters"]["GroupOfStatusPagesGroupsGet"];
            };
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusPages.groups.update": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                status_page: components["parameters"]["StatusPageId"];
                group: components["parameters"]["GroupOfStatusPagesGroupsGet"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StatusPageGroupChanges"];
            };
        };
        responses: {
            200: components["responses"]["StatusPagesGroupsUpdate200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusPages.posts.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
                phase?: components["parameters"]["Phase"];
            };
            path: {
                status_page: components["parameters"]["StatusPageId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["StatusPagePostList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusPages.posts.create": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                status_page: components["parameters"]["StatusPageId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewStatusPagePost"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatusPagePostResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusPages.posts.get": {
        parameters: {
            path: {
                status_page: components["parameters"]["StatusPageId"];
                post: components["parameters"]["Post"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["StatusPagePostResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusPages.posts.delete": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                status_page: components["parameters"]["StatusPageId"];
                post: components["parameters"]["Post"];
            };
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusPages.posts.update": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                status_page: components["parameters"]["StatusPageId"];
                post: components["parameters"]["Post"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StatusPagePostChanges"];
            };
        };
        responses: {
            200: components["responses"]["StatusPagesPostsUpdate200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusPages.postmortems.set": {
        parameters: {
            path: {
                status_page: components["parameters"]["StatusPageId"];
                post: components["parameters"]["Post"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StatusPagesPostmortemsSetRequest"];
            };
        };
        responses: {
            200: components["responses"]["StatusPagesPostsUpdate200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusPages.postmortems.delete": {
        parameters: {
            path: {
                status_page: components["parameters"]["StatusPageId"];
                post: components["parameters"]["Post"];
            };
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusPages.posts.updates.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
            };
            path: {
                status_page: components["parameters"]["StatusPageId"];
                post: components["parameters"]["Post"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["StatusPageUpdateList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusPages.posts.updates.create": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                status_page: components["parameters"]["StatusPageId"];
                post: components["parameters"]["Post"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewStatusPageUpdate"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatusPageUpdateResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusPages.posts.updates.update": {
        parameters: {
            path: {
                status_page: components["parameters"]["StatusPageId"];
                post: components["parameters"]["Post"];
                update: components["parameters"]["Update"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StatusPagesPostsUpdatesUpdateRequest"];
            };
        };
        responses: {
            200: components["responses"]["StatusPageUpdateResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusPages.subscribers.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
                state?: components["parameters"]["StateOfStatusPagesSubscribersList"];
            };
            path: {
                status_page: components["parameters"]["StatusPageId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["StatusPageSubscriberList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusPages.subscribers.create": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                status_page: components["parameters"]["StatusPageId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StatusPagesSubscribersCreateRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatusPageSubscriberResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusPageSubscribers.count": {
        parameters: {
            path: {
                status_page: components["parameters"]["StatusPageId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["StatusPageSubscriberCountsResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusPageSubscribers.export": {
        parameters: {
            path: {
                status_page: components["parameters"]["StatusPageId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["StatusPageSubscribersExport200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusPageSubscribers.import": {
        parameters: {
            query?: {
                confirmed?: components["parameters"]["Confirmed"];
            };
            path: {
                status_page: components["parameters"]["StatusPageId"];
            };
        };
        requestBody: {
            content: {
                "text/csv": string;
            };
        };
        responses: {
            200: components["responses"]["SubscriberImportResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusPages.subscribers.delete": {
        parameters: {
            path: {
                status_page: components["parameters"]["StatusPageId"];
                subscriber: components["parameters"]["Subscriber"];
            };
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusSubscriptions.update": {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StatusSubscriptionsUpdateRequest"];
            };
        };
        responses: {
            200: components["responses"]["StatusPageSubscriptionResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusSubscriptions.confirm": {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthEmailConfirmRequest"];
            };
        };
        responses: {
            204: components["responses"]["AuthEmailConfirm204"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusSubscriptions.get": {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StatusSubscriptionsGetRequest"];
            };
        };
        responses: {
            200: components["responses"]["StatusPageSubscriptionResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusSubscriptions.unsubscribe": {
        parameters: {
            query: {
                token: components["parameters"]["TokenOfDigestUnsubscribe"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AuthSignOut200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "statusPages.subscribe": {
        parameters: {
            path: {
                slug: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["StatusPagesSubscribeRequest"];
                "application/x-www-form-urlencoded": components["schemas"]["StatusPagesSubscribeRequest"];
            };
        };
        responses: {
            202: components["responses"]["AuthPasswordForgotReply"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "stream.get": {
        parameters: {
            query: {
                topics: components["parameters"]["Topics"];
            };
            header?: {
                "Last-Event-ID"?: components["parameters"]["LastEventID"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["StreamGet200"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "tags.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
                search?: components["parameters"]["SearchOfTagsList"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["TagList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "tenants.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
                search?: string;
                slug?: string;
                plan?: components["parameters"]["PlanValue"];
                is_reseller?: boolean;
                reseller_id?: string;
                status?: ("active" | "suspended" | "deleted")[];
                sort?: "created_at" | "name" | "-created_at" | "-name";
                sort_dir?: components["parameters"]["SortDirOfMonitorsList"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantList"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "tenants.create": {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TenantsCreateRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "tenants.get": {
        parameters: {
            path: {
                tenant: components["parameters"]["TenantId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "tenants.update": {
        parameters: {
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                tenant: components["parameters"]["TenantId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TenantsUpdateRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantResponse"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    "tenants.billing.get": {
        parameters: {
            path: {
                tenant: components["parameters"]["TenantId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["BillingResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "tenants.billing.invoices.list": {
        parameters: {
            query?: {
                page?: components["parameters"]["Page"];
                per_page?: components["parameters"]["PerPage"];
                status?: components["parameters"]["StatusOfBillingInvoicesList"];
            };
            path: {
                tenant: components["parameters"]["TenantId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["InvoiceList"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "tenants.billing.invoices.markPaid": {
        parameters: {
            path: {
                tenant: components["parameters"]["TenantId"];
                invoice: components["parameters"]["InvoiceId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["InvoiceResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "tenants.billing.invoices.void": {
        parameters: {
            path: {
                tenant: components["parameters"]["TenantId"];
                invoice: components["parameters"]["InvoiceId"];
            };
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["InvoiceResponse"];
            "4XX": components["responses"]["Refused"];
        };
    };
    "user.get": {
        parameters: {
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    onTeamProvisioned: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "team.provisioned",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "managed_team_id": "7c3a1d52-91c8-4a3f-bb1e-5a0c8d6e4f31",
                 *       "tenant_id": "e2b7c9a4-1f6d-4d8b-a0c3-9b5e7f1a2c41",
                 *       "tenant_name": "Acme",
                 *       "label": "gold"
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "team.provisioned";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    managed_team_id: string;
                    /** Format: uuid */
                    tenant_id: string;
                    tenant_name: string;
                    label: string | null;
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onTeamDeleted: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "team.deleted",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "managed_team_id": "7c3a1d52-91c8-4a3f-bb1e-5a0c8d6e4f31",
                 *       "tenant_id": "e2b7c9a4-1f6d-4d8b-a0c3-9b5e7f1a2c41",
                 *       "tenant_name": "Acme"
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "team.deleted";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    managed_team_id: string;
                    /** Format: uuid */
                    tenant_id: string;
                    tenant_name: string;
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onTeamPaused: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "team.paused",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "managed_team_id": "7c3a1d52-91c8-4a3f-bb1e-5a0c8d6e4f31",
                 *       "tenant_id": "e2b7c9a4-1f6d-4d8b-a0c3-9b5e7f1a2c41",
                 *       "tenant_name": "Acme",
                 *       "reason": "unpaid"
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "team.paused";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    managed_team_id: string;
                    /** Format: uuid */
                    tenant_id: string;
                    tenant_name?: string;
                    reason: string | null;
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onTeamUnpaused: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "team.unpaused",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "managed_team_id": "7c3a1d52-91c8-4a3f-bb1e-5a0c8d6e4f31",
                 *       "tenant_id": "e2b7c9a4-1f6d-4d8b-a0c3-9b5e7f1a2c41",
                 *       "tenant_name": "Acme"
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "team.unpaused";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    managed_team_id: string;
                    /** Format: uuid */
                    tenant_id: string;
                    tenant_name?: string;
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onTeamTrialEnding: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "team.trial_ending",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "managed_team_id": "7c3a1d52-91c8-4a3f-bb1e-5a0c8d6e4f31",
                 *       "tenant_id": "e2b7c9a4-1f6d-4d8b-a0c3-9b5e7f1a2c41",
                 *       "tenant_name": "Acme",
                 *       "label": "gold",
                 *       "plan": "pro",
                 *       "trial_ends_at": "2026-01-18T00:00:00.000000Z",
                 *       "days_remaining": 3
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "team.trial_ending";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    managed_team_id: string;
                    /** Format: uuid */
                    tenant_id: string;
                    tenant_name: string;
                    label: string | null;
                    plan: string;
                    /** Format: date-time */
                    trial_ends_at: string;
                    /** Format: int64 */
                    days_remaining: number;
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onTeamTrialExpired: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "team.trial_expired",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "managed_team_id": "7c3a1d52-91c8-4a3f-bb1e-5a0c8d6e4f31",
                 *       "tenant_id": "e2b7c9a4-1f6d-4d8b-a0c3-9b5e7f1a2c41",
                 *       "tenant_name": "Acme",
                 *       "previous_plan": "pro"
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "team.trial_expired";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    managed_team_id: string;
                    /** Format: uuid */
                    tenant_id: string;
                    tenant_name?: string;
                    previous_plan: string;
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onTenantQuotaWarning: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "tenant.quota_warning",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "tenant_id": "e2b7c9a4-1f6d-4d8b-a0c3-9b5e7f1a2c41",
                 *       "feature": "monitors",
                 *       "current_count": 16,
                 *       "limit": 20,
                 *       "usage_pct": 80
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "tenant.quota_warning";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    tenant_id: string;
                    feature: string;
                    /** Format: int64 */
                    current_count: number;
                    /** Format: int64 */
                    limit: number;
                    /** Format: int64 */
                    usage_pct: number;
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onTenantQuotaExceeded: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "tenant.quota_exceeded",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "tenant_id": "e2b7c9a4-1f6d-4d8b-a0c3-9b5e7f1a2c41",
                 *       "feature": "monitors",
                 *       "current_count": 20,
                 *       "limit": 20,
                 *       "usage_pct": 100
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "tenant.quota_exceeded";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    tenant_id: string;
                    feature: string;
                    /** Format: int64 */
                    current_count: number;
                    /** Format: int64 */
                    limit: number;
                    /** Format: int64 */
                    usage_pct: number;
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onMonitorCreated: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "monitor.created",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "monitor_id": "5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11",
                 *       "monitor_name": "Shop",
                 *       "monitor_url": "https://shop.example.com/"
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "monitor.created";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    monitor_id: string;
                    monitor_name: string;
                    monitor_url: string;
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onMonitorUpdated: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "monitor.updated",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "monitor_id": "5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11",
                 *       "monitor_name": "Shop",
                 *       "monitor_url": "https://shop.example.com/"
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "monitor.updated";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    monitor_id: string;
                    monitor_name: string;
                    monitor_url: string;
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onMonitorDeleted: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "monitor.deleted",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "monitor_id": "5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11",
                 *       "monitor_name": "Shop",
                 *       "monitor_url": "https://shop.example.com/"
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "monitor.deleted";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    monitor_id: string;
                    monitor_name: string;
                    monitor_url: string;
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onMonitorEnabled: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "monitor.enabled",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "monitor_id": "5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11",
                 *       "monitor_name": "Shop",
                 *       "monitor_url": "https://shop.example.com/"
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "monitor.enabled";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    monitor_id: string;
                    monitor_name: string;
                    monitor_url: string;
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onMonitorDisabled: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "monitor.disabled",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "monitor_id": "5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11",
                 *       "monitor_name": "Shop",
                 *       "monitor_url": "https://shop.example.com/"
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "monitor.disabled";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    monitor_id: string;
                    monitor_name: string;
                    monitor_url: string;
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onMonitorFlapping: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "monitor.flapping",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "monitor_id": "5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11",
                 *       "monitor_name": "Shop",
                 *       "monitor_url": "https://shop.example.com/",
                 *       "status": "down",
                 *       "started_at": "2026-01-15T08:30:00.000000Z",
                 *       "resolved_at": null,
                 *       "incidents_count": 3,
                 *       "incidents": [
                 *         {
                 *           "incident_id": "0b9f4e0a-3a8e-4b57-8c0c-2f9f3b1d5e21",
                 *           "status": "resolved",
                 *           "severity": "critical",
                 *           "started_at": "2026-01-15T08:30:00.000000Z",
                 *           "resolved_at": "2026-01-15T08:42:10.000000Z",
                 *           "was_held": false
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "monitor.flapping";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    monitor_id: string;
                    monitor_name: string;
                    monitor_url: string;
                    status: string | null;
                    /** Format: date-time */
                    started_at: string;
                    resolved_at: string | null;
                    /** Format: int64 */
                    incidents_count: number;
                    incidents: ({
                        /** Format: uuid */
                        incident_id: string;
                        title: string;
                        status: string;
                        severity: string;
                        /** Format: date-time */
                        started_at: string;
                        resolved_at: string | null;
                        was_held: boolean;
                    } & {
                        [key: string]: unknown;
                    })[];
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onMonitorFlappingResolved: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "monitor.flapping_resolved",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "monitor_id": "5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11",
                 *       "monitor_name": "Shop",
                 *       "monitor_url": "https://shop.example.com/",
                 *       "status": "up",
                 *       "started_at": "2026-01-15T08:30:00.000000Z",
                 *       "resolved_at": "2026-01-15T09:30:00.000000Z",
                 *       "incidents_count": 3,
                 *       "incidents": [
                 *         {
                 *           "incident_id": "0b9f4e0a-3a8e-4b57-8c0c-2f9f3b1d5e21",
                 *           "status": "resolved",
                 *           "severity": "critical",
                 *           "started_at": "2026-01-15T08:30:00.000000Z",
                 *           "resolved_at": "2026-01-15T08:42:10.000000Z",
                 *           "was_held": false
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "monitor.flapping_resolved";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    monitor_id: string;
                    monitor_name: string;
                    monitor_url: string;
                    status: string | null;
                    /** Format: date-time */
                    started_at: string;
                    resolved_at: string | null;
                    /** Format: int64 */
                    incidents_count: number;
                    incidents: ({
                        /** Format: uuid */
                        incident_id: string;
                        title: string;
                        status: string;
                        severity: string;
                        /** Format: date-time */
                        started_at: string;
                        resolved_at: string | null;
                        was_held: boolean;
                    } & {
                        [key: string]: unknown;
                    })[];
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onMemberAdded: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "member.added",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "tenant_id": "e2b7c9a4-1f6d-4d8b-a0c3-9b5e7f1a2c41",
                 *       "user_id": "9d4e6b18-2c7a-4f05-8e31-6a2b0c9d7e51",
                 *       "role": "member"
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "member.added";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    tenant_id: string;
                    /** Format: uuid */
                    user_id: string;
                    role: string;
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onMemberRemoved: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "member.removed",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "tenant_id": "e2b7c9a4-1f6d-4d8b-a0c3-9b5e7f1a2c41",
                 *       "user_id": "9d4e6b18-2c7a-4f05-8e31-6a2b0c9d7e51",
                 *       "role": "member"
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "member.removed";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    tenant_id: string;
                    /** Format: uuid */
                    user_id: string;
                    role: string;
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onMemberErased: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "member.erased",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "email": "pat@example.com",
                 *       "name": "Pat Person",
                 *       "erased_at": "2026-01-15T08:30:00.000000Z",
                 *       "initiated_by": "self",
                 *       "erasure_id": "1a5c9e73-4d2b-4e86-b7f0-8c3d6a1e9f71",
                 *       "teams": [
                 *         {
                 *           "managed_tenant_id": "e2b7c9a4-1f6d-4d8b-a0c3-9b5e7f1a2c41",
                 *           "user_id": "9d4e6b18-2c7a-4f05-8e31-6a2b0c9d7e51",
                 *           "role": "member",
                 *           "label": "gold",
                 *           "external_ref": null
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "member.erased";
                    /** Format: date-time */
                    timestamp: string;
                    email: string;
                    name: string;
                    /** Format: date-time */
                    erased_at: string;
                    /** @enum {string} */
                    initiated_by: "self" | "reseller";
                    /** Format: uuid */
                    erasure_id: string;
                    teams: {
                        /** Format: uuid */
                        managed_tenant_id: string;
                        /** Format: uuid */
                        user_id: string;
                        role: string;
                        label: string | null;
                        external_ref: string | null;
                    }[];
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onIncidentCreated: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "incident.created",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "incident_id": "0b9f4e0a-3a8e-4b57-8c0c-2f9f3b1d5e21",
                 *       "monitor_id": "5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11",
                 *       "monitor_name": "Shop",
                 *       "monitor_url": "https://shop.example.com/",
                 *       "status": "investigating",
                 *       "severity": "critical",
                 *       "started_at": "2026-01-15T08:30:00.000000Z",
                 *       "resolved_at": null,
                 *       "number": 12,
                 *       "check_type": "uptime",
                 *       "cause": "The site answered with status 503.",
                 *       "code": "wrong_status",
                 *       "resolution": null,
                 *       "timezone": null,
                 *       "quorum": {
                 *         "policy": {
                 *           "mode": "majority",
                 *           "count": null
                 *         },
                 *         "required": 2,
                 *         "asked": [
                 *           "eu-west",
                 *           "us-east",
                 *           "ap-south"
                 *         ],
                 *         "failed": [
                 *           "eu-west",
                 *           "us-east"
                 *         ],
                 *         "ok": [
                 *           "ap-south"
                 *         ],
                 *         "silent": [],
                 *         "excluded": [],
                 *         "regions": {
                 *           "eu-west": {
                 *             "phases": {
                 *               "dns": 3.2,
                 *               "connect": 18.4,
                 *               "tls": 41.7,
                 *               "first_byte": 96.1,
                 *               "total": 97.3
                 *             },
                 *             "error": {
                 *               "code": "wrong_status",
                 *               "message": "The site answered with status 503."
                 *             },
                 *             "http_status": 503,
                 *             "excerpt": "upstream connect error",
                 *             "at": "2026-01-15T08:30:02.000000Z"
                 *           },
                 *           "us-east": {
                 *             "phases": {
                 *               "dns": 2.8,
                 *               "connect": null,
                 *               "tls": null,
                 *               "first_byte": null,
                 *               "total": 10000
                 *             },
                 *             "error": {
                 *               "code": "timeout",
                 *               "message": "The connection was not made in time."
                 *             },
                 *             "http_status": null,
                 *             "excerpt": null,
                 *             "at": "2026-01-15T08:30:02.000000Z"
                 *           },
                 *           "ap-south": {
                 *             "phases": {
                 *               "dns": 3.2,
                 *               "connect": 18.4,
                 *               "tls": 41.7,
                 *               "first_byte": 96.1,
                 *               "total": 231.4
                 *             },
                 *             "error": null,
                 *             "http_status": 200,
                 *             "excerpt": null,
                 *             "at": "2026-01-15T08:30:02.000000Z"
                 *           }
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "incident.created";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    incident_id: string;
                    /** Format: uuid */
                    monitor_id: string;
                    monitor_name: string;
                    monitor_url: string;
                    title: string;
                    status: string;
                    severity: string;
                    /** Format: date-time */
                    started_at: string;
                    resolved_at: string | null;
                    /** Format: int64 */
                    number?: number;
                    check_type?: string;
                    cause?: string | null;
                    code?: string | null;
                    resolution?: string | null;
                    timezone?: string | null;
                    quorum?: components["schemas"]["QuorumProof"];
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onIncidentResolved: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "incident.resolved",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "incident_id": "0b9f4e0a-3a8e-4b57-8c0c-2f9f3b1d5e21",
                 *       "monitor_id": "5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11",
                 *       "monitor_name": "Shop",
                 *       "monitor_url": "https://shop.example.com/",
                 *       "status": "resolved",
                 *       "severity": "critical",
                 *       "started_at": "2026-01-15T08:30:00.000000Z",
                 *       "resolved_at": "2026-01-15T08:42:10.000000Z",
                 *       "number": 12,
                 *       "check_type": "uptime",
                 *       "cause": "The site answered with status 503.",
                 *       "code": "wrong_status",
                 *       "resolution": "auto",
                 *       "timezone": null,
                 *       "quorum": {
                 *         "policy": {
                 *           "mode": "majority",
                 *           "count": null
                 *         },
                 *         "required": 2,
                 *         "asked": [
                 *           "eu-west",
                 *           "us-east",
                 *           "ap-south"
                 *         ],
                 *         "failed": [
                 *           "eu-west",
                 *           "us-east"
                 *         ],
                 *         "ok": [
                 *           "ap-south"
                 *         ],
                 *         "silent": [],
                 *         "excluded": [],
                 *         "regions": {
                 *           "eu-west": {
                 *             "phases": {
                 *               "dns": 3.2,
                 *               "connect": 18.4,
                 *               "tls": 41.7,
                 *               "first_byte": 96.1,
                 *               "total": 97.3
                 *             },
                 *             "error": {
                 *               "code": "wrong_status",
                 *               "message": "The site answered with status 503."
                 *             },
                 *             "http_status": 503,
                 *             "excerpt": "upstream connect error",
                 *             "at": "2026-01-15T08:30:02.000000Z"
                 *           },
                 *           "us-east": {
                 *             "phases": {
                 *               "dns": 2.8,
                 *               "connect": null,
                 *               "tls": null,
                 *               "first_byte": null,
                 *               "total": 10000
                 *             },
                 *             "error": {
                 *               "code": "timeout",
                 *               "message": "The connection was not made in time."
                 *             },
                 *             "http_status": null,
                 *             "excerpt": null,
                 *             "at": "2026-01-15T08:30:02.000000Z"
                 *           },
                 *           "ap-south": {
                 *             "phases": {
                 *               "dns": 3.2,
                 *               "connect": 18.4,
                 *               "tls": 41.7,
                 *               "first_byte": 96.1,
                 *               "total": 231.4
                 *             },
                 *             "error": null,
                 *             "http_status": 200,
                 *             "excerpt": null,
                 *             "at": "2026-01-15T08:30:02.000000Z"
                 *           }
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "incident.resolved";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    incident_id: string;
                    /** Format: uuid */
                    monitor_id: string;
                    monitor_name: string;
                    monitor_url: string;
                    title: string;
                    status: string;
                    severity: string;
                    /** Format: date-time */
                    started_at: string;
                    resolved_at: string | null;
                    /** Format: int64 */
                    number?: number;
                    check_type?: string;
                    cause?: string | null;
                    code?: string | null;
                    resolution?: string | null;
                    timezone?: string | null;
                    quorum?: components["schemas"]["QuorumProof"];
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onIncidentEscalated: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "incident.escalated",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "incident_id": "0b9f4e0a-3a8e-4b57-8c0c-2f9f3b1d5e21",
                 *       "monitor_id": "5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11",
                 *       "monitor_name": "Shop",
                 *       "monitor_url": "https://shop.example.com/",
                 *       "status": "investigating",
                 *       "severity": "critical",
                 *       "started_at": "2026-01-15T08:30:00.000000Z",
                 *       "resolved_at": null,
                 *       "number": 12,
                 *       "check_type": "uptime",
                 *       "cause": "The site answered with status 503.",
                 *       "code": "wrong_status",
                 *       "resolution": null,
                 *       "timezone": null,
                 *       "quorum": {
                 *         "policy": {
                 *           "mode": "majority",
                 *           "count": null
                 *         },
                 *         "required": 2,
                 *         "asked": [
                 *           "eu-west",
                 *           "us-east",
                 *           "ap-south"
                 *         ],
                 *         "failed": [
                 *           "eu-west",
                 *           "us-east"
                 *         ],
                 *         "ok": [
                 *           "ap-south"
                 *         ],
                 *         "silent": [],
                 *         "excluded": [],
                 *         "regions": {
                 *           "eu-west": {
                 *             "phases": {
                 *               "dns": 3.2,
                 *               "connect": 18.4,
                 *               "tls": 41.7,
                 *               "first_byte": 96.1,
                 *               "total": 97.3
                 *             },
                 *             "error": {
                 *               "code": "wrong_status",
                 *               "message": "The site answered with status 503."
                 *             },
                 *             "http_status": 503,
                 *             "excerpt": "upstream connect error",
                 *             "at": "2026-01-15T08:30:02.000000Z"
                 *           },
                 *           "us-east": {
                 *             "phases": {
                 *               "dns": 2.8,
                 *               "connect": null,
                 *               "tls": null,
                 *               "first_byte": null,
                 *               "total": 10000
                 *             },
                 *             "error": {
                 *               "code": "timeout",
                 *               "message": "The connection was not made in time."
                 *             },
                 *             "http_status": null,
                 *             "excerpt": null,
                 *             "at": "2026-01-15T08:30:02.000000Z"
                 *           },
                 *           "ap-south": {
                 *             "phases": {
                 *               "dns": 3.2,
                 *               "connect": 18.4,
                 *               "tls": 41.7,
                 *               "first_byte": 96.1,
                 *               "total": 231.4
                 *             },
                 *             "error": null,
                 *             "http_status": 200,
                 *             "excerpt": null,
                 *             "at": "2026-01-15T08:30:02.000000Z"
                 *           }
                 *         }
                 *       },
                 *       "run_id": "2d9f6c1b-8e47-4a35-b0d2-6f1c7e9a4b83",
                 *       "policy_id": "7c3e5a91-0f6d-4b28-9a14-e8d2b7c6f503",
                 *       "policy_name": "Operations",
                 *       "round": 1,
                 *       "step": 2,
                 *       "targets": [
                 *         {
                 *           "type": "user",
                 *           "id": "9d4e6b18-2c7a-4f05-8e31-6a2b0c9d7e51"
                 *         }
                 *       ],
                 *       "channel_ids": []
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "incident.escalated";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    incident_id: string;
                    /** Format: uuid */
                    monitor_id: string;
                    monitor_name: string;
                    monitor_url: string;
                    title: string;
                    status: string;
                    severity: string;
                    /** Format: date-time */
                    started_at: string;
                    resolved_at: string | null;
                    /** Format: int64 */
                    number?: number;
                    check_type?: string;
                    cause?: string | null;
                    code?: string | null;
                    resolution?: string | null;
                    timezone?: string | null;
                    quorum?: components["schemas"]["QuorumProof"];
                    /** Format: uuid */
                    run_id: string;
                    /** Format: uuid */
                    policy_id: string;
                    policy_name: string;
                    /** Format: int64 */
                    round: number;
                    /** Format: int64 */
                    step: number;
                    targets: {
                        /** @enum {string} */
                        type: "user" | "channel";
                        /** Format: uuid */
                        id: string;
                    }[];
                    channel_ids: string[];
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onIncidentEscalationExhausted: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "incident.escalation_exhausted",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "incident_id": "0b9f4e0a-3a8e-4b57-8c0c-2f9f3b1d5e21",
                 *       "monitor_id": "5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11",
                 *       "monitor_name": "Shop",
                 *       "monitor_url": "https://shop.example.com/",
                 *       "status": "investigating",
                 *       "severity": "critical",
                 *       "started_at": "2026-01-15T08:30:00.000000Z",
                 *       "resolved_at": null,
                 *       "number": 12,
                 *       "check_type": "uptime",
                 *       "cause": "The site answered with status 503.",
                 *       "code": "wrong_status",
                 *       "resolution": null,
                 *       "timezone": null,
                 *       "quorum": {
                 *         "policy": {
                 *           "mode": "majority",
                 *           "count": null
                 *         },
                 *         "required": 2,
                 *         "asked": [
                 *           "eu-west",
                 *           "us-east",
                 *           "ap-south"
                 *         ],
                 *         "failed": [
                 *           "eu-west",
                 *           "us-east"
                 *         ],
                 *         "ok": [
                 *           "ap-south"
                 *         ],
                 *         "silent": [],
                 *         "excluded": [],
                 *         "regions": {
                 *           "eu-west": {
                 *             "phases": {
                 *               "dns": 3.2,
                 *               "connect": 18.4,
                 *               "tls": 41.7,
                 *               "first_byte": 96.1,
                 *               "total": 97.3
                 *             },
                 *             "error": {
                 *               "code": "wrong_status",
                 *               "message": "The site answered with status 503."
                 *             },
                 *             "http_status": 503,
                 *             "excerpt": "upstream connect error",
                 *             "at": "2026-01-15T08:30:02.000000Z"
                 *           },
                 *           "us-east": {
                 *             "phases": {
                 *               "dns": 2.8,
                 *               "connect": null,
                 *               "tls": null,
                 *               "first_byte": null,
                 *               "total": 10000
                 *             },
                 *             "error": {
                 *               "code": "timeout",
                 *               "message": "The connection was not made in time."
                 *             },
                 *             "http_status": null,
                 *             "excerpt": null,
                 *             "at": "2026-01-15T08:30:02.000000Z"
                 *           },
                 *           "ap-south": {
                 *             "phases": {
                 *               "dns": 3.2,
                 *               "connect": 18.4,
                 *               "tls": 41.7,
                 *               "first_byte": 96.1,
                 *               "total": 231.4
                 *             },
                 *             "error": null,
                 *             "http_status": 200,
                 *             "excerpt": null,
                 *             "at": "2026-01-15T08:30:02.000000Z"
                 *           }
                 *         }
                 *       },
                 *       "run_id": "2d9f6c1b-8e47-4a35-b0d2-6f1c7e9a4b83",
                 *       "policy_id": "7c3e5a91-0f6d-4b28-9a14-e8d2b7c6f503",
                 *       "policy_name": "Operations",
                 *       "round": 1,
                 *       "step": 2
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "incident.escalation_exhausted";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    incident_id: string;
                    /** Format: uuid */
                    monitor_id: string;
                    monitor_name: string;
                    monitor_url: string;
                    title: string;
                    status: string;
                    severity: string;
                    /** Format: date-time */
                    started_at: string;
                    resolved_at: string | null;
                    /** Format: int64 */
                    number?: number;
                    check_type?: string;
                    cause?: string | null;
                    code?: string | null;
                    resolution?: string | null;
                    timezone?: string | null;
                    quorum?: components["schemas"]["QuorumProof"];
                    /** Format: uuid */
                    run_id: string;
                    /** Format: uuid */
                    policy_id: string;
                    policy_name: string;
                    /** Format: int64 */
                    round: number;
                    /** Format: int64 */
                    step: number;
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onWarningSslExpiring: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "warning.ssl_expiring",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "monitor_id": "5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11",
                 *       "monitor_name": "Shop",
                 *       "monitor_url": "https://shop.example.com/",
                 *       "check_id": "c4b7e2d9-3a61-4f58-9e0c-7d2f1b8a6e35",
                 *       "regions": [
                 *         "eu",
                 *         "us"
                 *       ],
                 *       "check_type": "ssl",
                 *       "code": "ssl_expiring",
                 *       "since": "2026-01-15T08:30:00.000000Z",
                 *       "details": {
                 *         "days_remaining": 7
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "warning.ssl_expiring";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    monitor_id: string;
                    monitor_name: string;
                    monitor_url: string;
                    /** Format: uuid */
                    check_id: string;
                    check_type: string;
                    title: string;
                    code: string;
                    /** Format: date-time */
                    since: string;
                    regions: string[];
                    details: {
                        [key: string]: unknown;
                    };
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onWarningDomainExpiring: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "warning.domain_expiring",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "monitor_id": "5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11",
                 *       "monitor_name": "Shop",
                 *       "monitor_url": "https://shop.example.com/",
                 *       "check_id": "c4b7e2d9-3a61-4f58-9e0c-7d2f1b8a6e35",
                 *       "regions": [
                 *         "eu",
                 *         "us"
                 *       ],
                 *       "check_type": "domain_expiry",
                 *       "code": "domain_expiring",
                 *       "since": "2026-01-15T08:30:00.000000Z",
                 *       "details": {
                 *         "days_remaining": 14
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "warning.domain_expiring";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    monitor_id: string;
                    monitor_name: string;
                    monitor_url: string;
                    /** Format: uuid */
                    check_id: string;
                    check_type: string;
                    title: string;
                    code: string;
                    /** Format: date-time */
                    since: string;
                    regions: string[];
                    details: {
                        [key: string]: unknown;
                    };
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onWarningDegradedPerformance: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "warning.degraded_performance",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "monitor_id": "5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11",
                 *       "monitor_name": "Shop",
                 *       "monitor_url": "https://shop.example.com/",
                 *       "check_id": "c4b7e2d9-3a61-4f58-9e0c-7d2f1b8a6e35",
                 *       "regions": [
                 *         "eu",
                 *         "us"
                 *       ],
                 *       "check_type": "uptime",
                 *       "code": "slow",
                 *       "since": "2026-01-15T08:30:00.000000Z",
                 *       "details": {}
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "warning.degraded_performance";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    monitor_id: string;
                    monitor_name: string;
                    monitor_url: string;
                    /** Format: uuid */
                    check_id: string;
                    check_type: string;
                    title: string;
                    code: string;
                    /** Format: date-time */
                    since: string;
                    regions: string[];
                    details: {
                        [key: string]: unknown;
                    };
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onWarningApplicationHealth: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "warning.application_health",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "monitor_id": "5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11",
                 *       "monitor_name": "Shop",
                 *       "monitor_url": "https://shop.example.com/",
                 *       "check_id": "c4b7e2d9-3a61-4f58-9e0c-7d2f1b8a6e35",
                 *       "regions": [
                 *         "eu",
                 *         "us"
                 *       ],
                 *       "check_type": "application_health",
                 *       "code": "unwell",
                 *       "since": "2026-01-15T08:30:00.000000Z",
                 *       "details": {}
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "warning.application_health";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    monitor_id: string;
                    monitor_name: string;
                    monitor_url: string;
                    /** Format: uuid */
                    check_id: string;
                    check_type: string;
                    title: string;
                    code: string;
                    /** Format: date-time */
                    since: string;
                    regions: string[];
                    details: {
                        [key: string]: unknown;
                    };
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onWarningSitemapIssues: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "warning.sitemap_issues",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "monitor_id": "5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11",
                 *       "monitor_name": "Shop",
                 *       "monitor_url": "https://shop.example.com/",
                 *       "check_id": "c4b7e2d9-3a61-4f58-9e0c-7d2f1b8a6e35",
                 *       "regions": [
                 *         "eu",
                 *         "us"
                 *       ],
                 *       "check_type": "sitemap",
                 *       "code": "addresses_gone",
                 *       "since": "2026-01-15T08:30:00.000000Z",
                 *       "details": {}
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "warning.sitemap_issues";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    monitor_id: string;
                    monitor_name: string;
                    monitor_url: string;
                    /** Format: uuid */
                    check_id: string;
                    check_type: string;
                    title: string;
                    code: string;
                    /** Format: date-time */
                    since: string;
                    regions: string[];
                    details: {
                        [key: string]: unknown;
                    };
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onWarningSecurityHeaders: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "warning.security_headers",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "monitor_id": "5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11",
                 *       "monitor_name": "Shop",
                 *       "monitor_url": "https://shop.example.com/",
                 *       "check_id": "c4b7e2d9-3a61-4f58-9e0c-7d2f1b8a6e35",
                 *       "regions": [
                 *         "eu",
                 *         "us"
                 *       ],
                 *       "check_type": "security_headers",
                 *       "code": "grade",
                 *       "since": "2026-01-15T08:30:00.000000Z",
                 *       "details": {}
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "warning.security_headers";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    monitor_id: string;
                    monitor_name: string;
                    monitor_url: string;
                    /** Format: uuid */
                    check_id: string;
                    check_type: string;
                    title: string;
                    code: string;
                    /** Format: date-time */
                    since: string;
                    regions: string[];
                    details: {
                        [key: string]: unknown;
                    };
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onWarningRedirectChain: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "warning.redirect_chain",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "monitor_id": "5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11",
                 *       "monitor_name": "Shop",
                 *       "monitor_url": "https://shop.example.com/",
                 *       "check_id": "c4b7e2d9-3a61-4f58-9e0c-7d2f1b8a6e35",
                 *       "regions": [
                 *         "eu",
                 *         "us"
                 *       ],
                 *       "check_type": "redirect_chain",
                 *       "code": "too_long",
                 *       "since": "2026-01-15T08:30:00.000000Z",
                 *       "details": {}
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "warning.redirect_chain";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    monitor_id: string;
                    monitor_name: string;
                    monitor_url: string;
                    /** Format: uuid */
                    check_id: string;
                    check_type: string;
                    title: string;
                    code: string;
                    /** Format: date-time */
                    since: string;
                    regions: string[];
                    details: {
                        [key: string]: unknown;
                    };
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onWarningRobotsTxt: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "warning.robots_txt",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "monitor_id": "5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11",
                 *       "monitor_name": "Shop",
                 *       "monitor_url": "https://shop.example.com/",
                 *       "check_id": "c4b7e2d9-3a61-4f58-9e0c-7d2f1b8a6e35",
                 *       "regions": [
                 *         "eu",
                 *         "us"
                 *       ],
                 *       "check_type": "robots_txt",
                 *       "code": "blocks_all",
                 *       "since": "2026-01-15T08:30:00.000000Z",
                 *       "details": {}
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "warning.robots_txt";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    monitor_id: string;
                    monitor_name: string;
                    monitor_url: string;
                    /** Format: uuid */
                    check_id: string;
                    check_type: string;
                    title: string;
                    code: string;
                    /** Format: date-time */
                    since: string;
                    regions: string[];
                    details: {
                        [key: string]: unknown;
                    };
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onWarningDnsblListing: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "warning.dnsbl_listing",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "monitor_id": "5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11",
                 *       "monitor_name": "Shop",
                 *       "monitor_url": "https://shop.example.com/",
                 *       "check_id": "c4b7e2d9-3a61-4f58-9e0c-7d2f1b8a6e35",
                 *       "regions": [
                 *         "eu",
                 *         "us"
                 *       ],
                 *       "check_type": "dnsbl",
                 *       "code": "listed",
                 *       "since": "2026-01-15T08:30:00.000000Z",
                 *       "details": {}
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "warning.dnsbl_listing";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    monitor_id: string;
                    monitor_name: string;
                    monitor_url: string;
                    /** Format: uuid */
                    check_id: string;
                    check_type: string;
                    title: string;
                    code: string;
                    /** Format: date-time */
                    since: string;
                    regions: string[];
                    details: {
                        [key: string]: unknown;
                    };
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onWarningBrokenLinks: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "warning.broken_links",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "monitor_id": "5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11",
                 *       "monitor_name": "Shop",
                 *       "monitor_url": "https://shop.example.com/",
                 *       "check_id": "c4b7e2d9-3a61-4f58-9e0c-7d2f1b8a6e35",
                 *       "regions": [
                 *         "eu",
                 *         "us"
                 *       ],
                 *       "check_type": "broken_links",
                 *       "code": "broken",
                 *       "since": "2026-01-15T08:30:00.000000Z",
                 *       "details": {}
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "warning.broken_links";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    monitor_id: string;
                    monitor_name: string;
                    monitor_url: string;
                    /** Format: uuid */
                    check_id: string;
                    check_type: string;
                    title: string;
                    code: string;
                    /** Format: date-time */
                    since: string;
                    regions: string[];
                    details: {
                        [key: string]: unknown;
                    };
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onWarningMixedContent: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "warning.mixed_content",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "monitor_id": "5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11",
                 *       "monitor_name": "Shop",
                 *       "monitor_url": "https://shop.example.com/",
                 *       "check_id": "c4b7e2d9-3a61-4f58-9e0c-7d2f1b8a6e35",
                 *       "regions": [
                 *         "eu",
                 *         "us"
                 *       ],
                 *       "check_type": "mixed_content",
                 *       "code": "insecure",
                 *       "since": "2026-01-15T08:30:00.000000Z",
                 *       "details": {}
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "warning.mixed_content";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    monitor_id: string;
                    monitor_name: string;
                    monitor_url: string;
                    /** Format: uuid */
                    check_id: string;
                    check_type: string;
                    title: string;
                    code: string;
                    /** Format: date-time */
                    since: string;
                    regions: string[];
                    details: {
                        [key: string]: unknown;
                    };
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onWarningServerResources: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "warning.server_resources",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "monitor_id": "5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11",
                 *       "monitor_name": "Shop",
                 *       "monitor_url": "https://shop.example.com/",
                 *       "check_id": "c4b7e2d9-3a61-4f58-9e0c-7d2f1b8a6e35",
                 *       "regions": [
                 *         "eu",
                 *         "us"
                 *       ],
                 *       "check_type": "agent",
                 *       "code": "disk",
                 *       "since": "2026-01-15T08:30:00.000000Z",
                 *       "details": {}
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "warning.server_resources";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    monitor_id: string;
                    monitor_name: string;
                    monitor_url: string;
                    /** Format: uuid */
                    check_id: string;
                    check_type: string;
                    title: string;
                    code: string;
                    /** Format: date-time */
                    since: string;
                    regions: string[];
                    details: {
                        [key: string]: unknown;
                    };
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onWarningCleared: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "warning.cleared",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "monitor_id": "5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11",
                 *       "monitor_name": "Shop",
                 *       "monitor_url": "https://shop.example.com/",
                 *       "check_id": "c4b7e2d9-3a61-4f58-9e0c-7d2f1b8a6e35",
                 *       "regions": [
                 *         "eu",
                 *         "us"
                 *       ],
                 *       "check_type": "ssl",
                 *       "code": "ssl_expiring",
                 *       "since": "2026-01-15T08:30:00.000000Z",
                 *       "details": {
                 *         "days_remaining": 7
                 *       },
                 *       "warning": "ssl_expiring"
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "warning.cleared";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    monitor_id: string;
                    monitor_name: string;
                    monitor_url: string;
                    /** Format: uuid */
                    check_id: string;
                    check_type: string;
                    title: string;
                    code: string;
                    /** Format: date-time */
                    since: string;
                    regions: string[];
                    details: {
                        [key: string]: unknown;
                    };
                    warning: string;
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onDnsRecordsChanged: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "dns.records_changed",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "monitor_id": "5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11",
                 *       "monitor_name": "Shop",
                 *       "monitor_url": "https://shop.example.com/",
                 *       "check_id": "c4b7e2d9-3a61-4f58-9e0c-7d2f1b8a6e35",
                 *       "regions": [
                 *         "eu",
                 *         "us"
                 *       ],
                 *       "check_type": "dns",
                 *       "zone": "example.com",
                 *       "nameservers": [
                 *         "a.ns.example.net",
                 *         "b.ns.example.net"
                 *       ],
                 *       "changes": [
                 *         {
                 *           "type": "A",
                 *           "old": [
                 *             "192.0.2.10"
                 *           ],
                 *           "new": [
                 *             "192.0.2.20"
                 *           ]
                 *         }
                 *       ],
                 *       "nameserver_change": null,
                 *       "nameservers_changed": false
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "dns.records_changed";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    monitor_id: string;
                    monitor_name: string;
                    monitor_url: string;
                    /** Format: uuid */
                    check_id: string;
                    check_type: string;
                    regions: string[];
                    zone: string;
                    nameservers: string[];
                    changes: {
                        type: string;
                        old: unknown;
                        new: unknown;
                    }[];
                    nameserver_change: {
                        old: string[];
                        new: string[];
                    } | null;
                    nameservers_changed: boolean;
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onDnsNameserverChanged: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "dns.nameserver_changed",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "monitor_id": "5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11",
                 *       "monitor_name": "Shop",
                 *       "monitor_url": "https://shop.example.com/",
                 *       "check_id": "c4b7e2d9-3a61-4f58-9e0c-7d2f1b8a6e35",
                 *       "regions": [
                 *         "eu",
                 *         "us"
                 *       ],
                 *       "check_type": "dns",
                 *       "zone": "example.com",
                 *       "nameservers": [
                 *         "a.ns.example.net",
                 *         "b.ns.example.net"
                 *       ],
                 *       "changes": [
                 *         {
                 *           "type": "NS",
                 *           "old": [
                 *             "a.ns.example.net"
                 *           ],
                 *           "new": [
                 *             "a.ns.example.org"
                 *           ]
                 *         }
                 *       ],
                 *       "nameserver_change": {
                 *         "old": [
                 *           "a.ns.example.net"
                 *         ],
                 *         "new": [
                 *           "a.ns.example.org"
                 *         ]
                 *       },
                 *       "nameservers_changed": true
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "dns.nameserver_changed";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    monitor_id: string;
                    monitor_name: string;
                    monitor_url: string;
                    /** Format: uuid */
                    check_id: string;
                    check_type: string;
                    regions: string[];
                    zone: string;
                    nameservers: string[];
                    changes: {
                        type: string;
                        old: unknown;
                        new: unknown;
                    }[];
                    nameserver_change: {
                        old: string[];
                        new: string[];
                    } | null;
                    nameservers_changed: boolean;
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onCertificateRenewed: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "certificate.renewed",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "monitor_id": "5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11",
                 *       "monitor_name": "Shop",
                 *       "monitor_url": "https://shop.example.com/",
                 *       "check_id": "c4b7e2d9-3a61-4f58-9e0c-7d2f1b8a6e35",
                 *       "regions": [
                 *         "eu",
                 *         "us"
                 *       ],
                 *       "check_type": "ssl",
                 *       "issuer": "Example CA",
                 *       "valid_to": "2026-04-15T00:00:00.000000Z",
                 *       "fingerprint": "5E:2A:91:07",
                 *       "serial": "04B2F7",
                 *       "previous_issuer": "Example CA",
                 *       "previous_valid_to": "2026-01-20T00:00:00.000000Z",
                 *       "previous_fingerprint": "93:C0:4D:AF",
                 *       "previous_serial": "03A1E6"
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "certificate.renewed";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    monitor_id: string;
                    monitor_name: string;
                    monitor_url: string;
                    /** Format: uuid */
                    check_id: string;
                    check_type: string;
                    regions: string[];
                    issuer: string;
                    /** Format: date-time */
                    valid_to: string;
                    fingerprint: string;
                    serial: string | null;
                    previous_issuer: string;
                    /** Format: date-time */
                    previous_valid_to: string;
                    previous_fingerprint: string;
                    previous_serial: string | null;
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onMaintenanceScheduled: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "maintenance.scheduled",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "maintenance_window_id": "f3a90c6d-52b7-4e18-8d4f-1c7e6b2a9d05",
                 *       "mode": "suppress_alerts",
                 *       "starts_at": "2026-01-18T01:00:00.000000Z",
                 *       "ends_at": "2026-01-18T03:00:00.000000Z",
                 *       "timezone": "Europe/Berlin",
                 *       "is_recurring": true,
                 *       "monitor_ids": [
                 *         "5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11"
                 *       ],
                 *       "tags": [
                 *         "shop"
                 *       ],
                 *       "all": false
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "maintenance.scheduled";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    maintenance_window_id: string;
                    title: string;
                    description: string;
                    mode: string;
                    starts_at: string | null;
                    ends_at: string | null;
                    timezone: string;
                    is_recurring: boolean;
                    monitor_ids: string[];
                    tags: string[];
                    all: boolean;
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onMaintenanceStarted: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "maintenance.started",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "maintenance_window_id": "f3a90c6d-52b7-4e18-8d4f-1c7e6b2a9d05",
                 *       "mode": "suppress_alerts",
                 *       "starts_at": "2026-01-18T01:00:00.000000Z",
                 *       "ends_at": "2026-01-18T03:00:00.000000Z",
                 *       "timezone": "Europe/Berlin",
                 *       "is_recurring": true,
                 *       "monitor_ids": [
                 *         "5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11"
                 *       ],
                 *       "tags": [
                 *         "shop"
                 *       ],
                 *       "all": false
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "maintenance.started";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    maintenance_window_id: string;
                    title: string;
                    description: string;
                    mode: string;
                    starts_at: string | null;
                    ends_at: string | null;
                    timezone: string;
                    is_recurring: boolean;
                    monitor_ids: string[];
                    tags: string[];
                    all: boolean;
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onMaintenanceEnded: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "maintenance.ended",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "maintenance_window_id": "f3a90c6d-52b7-4e18-8d4f-1c7e6b2a9d05",
                 *       "mode": "suppress_alerts",
                 *       "starts_at": "2026-01-18T01:00:00.000000Z",
                 *       "ends_at": "2026-01-18T03:00:00.000000Z",
                 *       "timezone": "Europe/Berlin",
                 *       "is_recurring": true,
                 *       "monitor_ids": [
                 *         "5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11"
                 *       ],
                 *       "tags": [
                 *         "shop"
                 *       ],
                 *       "all": false
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "maintenance.ended";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    maintenance_window_id: string;
                    title: string;
                    description: string;
                    mode: string;
                    starts_at: string | null;
                    ends_at: string | null;
                    timezone: string;
                    is_recurring: boolean;
                    monitor_ids: string[];
                    tags: string[];
                    all: boolean;
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onMaintenanceCancelled: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "maintenance.cancelled",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "maintenance_window_id": "f3a90c6d-52b7-4e18-8d4f-1c7e6b2a9d05",
                 *       "mode": "suppress_alerts",
                 *       "starts_at": "2026-01-18T01:00:00.000000Z",
                 *       "ends_at": "2026-01-18T03:00:00.000000Z",
                 *       "timezone": "Europe/Berlin",
                 *       "is_recurring": true,
                 *       "monitor_ids": [
                 *         "5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11"
                 *       ],
                 *       "tags": [
                 *         "shop"
                 *       ],
                 *       "all": false
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "maintenance.cancelled";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    maintenance_window_id: string;
                    title: string;
                    description: string;
                    mode: string;
                    starts_at: string | null;
                    ends_at: string | null;
                    timezone: string;
                    is_recurring: boolean;
                    monitor_ids: string[];
                    tags: string[];
                    all: boolean;
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onStatusPagePublished: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "status_page.published",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "status_page_id": "8b2f6d90-1c4e-4a75-9f38-e5d07a6c3b14",
                 *       "status_page_name": "Acme status",
                 *       "status_page_url": "https://vedette.example/status/acme"
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "status_page.published";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    status_page_id: string;
                    status_page_name: string;
                    status_page_url: string;
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onStatusPageIncidentPosted: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "status_page.incident_posted",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "status_page_id": "8b2f6d90-1c4e-4a75-9f38-e5d07a6c3b14",
                 *       "status_page_name": "Acme status",
                 *       "status_page_url": "https://vedette.example/status/acme",
                 *       "post_id": "c6e19a47-5d83-4b02-8e6f-0a9d4c7b2f58",
                 *       "incident_id": "0b9f4e0a-3a8e-4b57-8c0c-2f9f3b1d5e21",
                 *       "impact": "major",
                 *       "phase": "investigating",
                 *       "body": "We examine the cause.",
                 *       "started_at": "2026-01-15T08:30:00.000000Z",
                 *       "resolved_at": null
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "status_page.incident_posted";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    status_page_id: string;
                    status_page_name: string;
                    status_page_url: string;
                    /** Format: uuid */
                    post_id: string;
                    incident_id: string | null;
                    title: string;
                    impact: string;
                    phase: string;
                    body: string;
                    /** Format: date-time */
                    started_at: string;
                    resolved_at: string | null;
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onStatusPageIncidentUpdated: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "status_page.incident_updated",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "status_page_id": "8b2f6d90-1c4e-4a75-9f38-e5d07a6c3b14",
                 *       "status_page_name": "Acme status",
                 *       "status_page_url": "https://vedette.example/status/acme",
                 *       "post_id": "c6e19a47-5d83-4b02-8e6f-0a9d4c7b2f58",
                 *       "incident_id": "0b9f4e0a-3a8e-4b57-8c0c-2f9f3b1d5e21",
                 *       "impact": "major",
                 *       "phase": "resolved",
                 *       "body": "The checkout works again.",
                 *       "started_at": "2026-01-15T08:30:00.000000Z",
                 *       "resolved_at": "2026-01-15T09:00:00.000000Z"
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "status_page.incident_updated";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    status_page_id: string;
                    status_page_name: string;
                    status_page_url: string;
                    /** Format: uuid */
                    post_id: string;
                    incident_id: string | null;
                    title: string;
                    impact: string;
                    phase: string;
                    body: string;
                    /** Format: date-time */
                    started_at: string;
                    resolved_at: string | null;
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onOnCallGapFound: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "on_call.gap_found",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "schedule_id": "a4c1e8d2-7b35-4f96-8e0a-5d2b9c7f1e34",
                 *       "schedule_name": "Primary",
                 *       "timezone": "Europe/Berlin",
                 *       "starts_at": "2026-01-17T17:00:00.000000Z",
                 *       "ends_at": "2026-01-19T08:00:00.000000Z"
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "on_call.gap_found";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    schedule_id: string;
                    schedule_name: string;
                    timezone: string;
                    /** Format: date-time */
                    starts_at: string;
                    /** Format: date-time */
                    ends_at: string;
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onBillingPlanChanged: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "billing.plan_changed",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "tenant_id": "e2b7c9a4-1f6d-4d8b-a0c3-9b5e7f1a2c41",
                 *       "tenant_name": "Acme",
                 *       "previous_plan": "starter",
                 *       "plan": "pro",
                 *       "status": "active"
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "billing.plan_changed";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    tenant_id: string;
                    tenant_name: string;
                    previous_plan: string;
                    plan: string;
                    status: string;
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onBillingPaymentFailed: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "billing.payment_failed",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "tenant_id": "e2b7c9a4-1f6d-4d8b-a0c3-9b5e7f1a2c41",
                 *       "tenant_name": "Acme",
                 *       "plan": "pro",
                 *       "grace_ends_at": "2026-01-29T08:30:00.000000Z"
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "billing.payment_failed";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    tenant_id: string;
                    tenant_name: string;
                    plan: string;
                    /** Format: date-time */
                    grace_ends_at: string;
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onBillingInvoicePaid: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "billing.invoice_paid",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "tenant_id": "e2b7c9a4-1f6d-4d8b-a0c3-9b5e7f1a2c41",
                 *       "tenant_name": "Acme",
                 *       "invoice_id": "5b8d1e7a-9c42-4f06-a3b8-0d6e2c9f7a15",
                 *       "number": "E2B7C9A4-0001",
                 *       "currency": "eur",
                 *       "total": 2261,
                 *       "paid_at": "2026-01-15T08:30:00.000000Z"
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "billing.invoice_paid";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    tenant_id: string;
                    tenant_name: string;
                    /** Format: uuid */
                    invoice_id: string;
                    number: string | null;
                    currency: string;
                    /** Format: int64 */
                    total: number;
                    /** Format: date-time */
                    paid_at: string;
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onStormDetected: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "storm.detected",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "storm_id": "3e8f5c27-7b1d-4960-9a42-d1c0e8b6f761",
                 *       "started_at": "2026-01-15T08:30:00.000000Z",
                 *       "resolved_at": null,
                 *       "severity": "critical",
                 *       "monitors_count": 12,
                 *       "down_count": 12,
                 *       "monitor_names": [
                 *         "Shop",
                 *         "Blog",
                 *         "API"
                 *       ],
                 *       "incident_ids": [
                 *         "0b9f4e0a-3a8e-4b57-8c0c-2f9f3b1d5e21"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "storm.detected";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    storm_id: string;
                    /** Format: date-time */
                    started_at: string;
                    resolved_at: string | null;
                    severity: string;
                    /** Format: int64 */
                    monitors_count: number;
                    /** Format: int64 */
                    down_count: number;
                    monitor_names: string[];
                    incident_ids: string[];
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onStormResolved: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "storm.resolved",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "storm_id": "3e8f5c27-7b1d-4960-9a42-d1c0e8b6f761",
                 *       "started_at": "2026-01-15T08:30:00.000000Z",
                 *       "resolved_at": "2026-01-15T09:00:00.000000Z",
                 *       "severity": "critical",
                 *       "monitors_count": 12,
                 *       "down_count": 1,
                 *       "monitor_names": [
                 *         "Shop",
                 *         "Blog",
                 *         "API"
                 *       ],
                 *       "incident_ids": [
                 *         "0b9f4e0a-3a8e-4b57-8c0c-2f9f3b1d5e21"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "storm.resolved";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    storm_id: string;
                    /** Format: date-time */
                    started_at: string;
                    resolved_at: string | null;
                    severity: string;
                    /** Format: int64 */
                    monitors_count: number;
                    /** Format: int64 */
                    down_count: number;
                    monitor_names: string[];
                    incident_ids: string[];
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onEmailInvitation: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "email.invitation",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "email_type": "invitation",
                 *       "recipient": {
                 *         "email": "pat@example.com",
                 *         "name": "Pat Person",
                 *         "language": "en",
                 *         "user_id": "9d4e6b18-2c7a-4f05-8e31-6a2b0c9d7e51"
                 *       },
                 *       "template_data": {
                 *         "team_name": "Acme",
                 *         "invited_by": "Ina Inviter",
                 *         "role": "member",
                 *         "accept_url": "https://status.example.com/invitation#Zr0bS1wq4k2mWm8xY3nD7tJ5vL6aQ9eHcG1fPpUiKoE",
                 *         "expires_at": "2026-01-22T08:30:00.000000Z",
                 *         "brand_name": "Example Hosting"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "email.invitation";
                    /** Format: date-time */
                    timestamp: string;
                    email_type: string;
                    recipient: {
                        email: string;
                        name: string | null;
                        language: string;
                        user_id: string | null;
                    };
                    template_data: {
                        team_name: string;
                        invited_by: string | null;
                        role: string;
                        /** Format: uri */
                        accept_url: string;
                        /** Format: date-time */
                        expires_at: string;
                        brand_name: string;
                    };
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onEmailMemberRemoved: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "email.member_removed",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "email_type": "member_removed",
                 *       "recipient": {
                 *         "email": "pat@example.com",
                 *         "name": "Pat Person",
                 *         "language": "en",
                 *         "user_id": "9d4e6b18-2c7a-4f05-8e31-6a2b0c9d7e51"
                 *       },
                 *       "template_data": {
                 *         "team_name": "Acme",
                 *         "user_name": "Pat Person",
                 *         "brand_name": "Example Hosting"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "email.member_removed";
                    /** Format: date-time */
                    timestamp: string;
                    email_type: string;
                    recipient: {
                        email: string;
                        name: string | null;
                        language: string;
                        user_id: string | null;
                    };
                    template_data: {
                        team_name: string;
                        user_name: string;
                        brand_name: string;
                    };
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onEmailTrialEnding: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "email.trial_ending",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "email_type": "trial_ending",
                 *       "recipient": {
                 *         "email": "pat@example.com",
                 *         "name": "Pat Person",
                 *         "language": "en",
                 *         "user_id": "9d4e6b18-2c7a-4f05-8e31-6a2b0c9d7e51"
                 *       },
                 *       "template_data": {
                 *         "team_name": "Acme",
                 *         "plan": "pro",
                 *         "trial_ends_at": "2026-01-18T00:00:00.000000Z",
                 *         "days_remaining": 3,
                 *         "brand_name": "Example Hosting"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "email.trial_ending";
                    /** Format: date-time */
                    timestamp: string;
                    email_type: string;
                    recipient: {
                        email: string;
                        name: string | null;
                        language: string;
                        user_id: string | null;
                    };
                    template_data: {
                        team_name: string;
                        plan: string;
                        /** Format: date-time */
                        trial_ends_at: string;
                        /** Format: int64 */
                        days_remaining: number;
                        brand_name: string;
                    };
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onEmailTrialExpired: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "email.trial_expired",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "email_type": "trial_expired",
                 *       "recipient": {
                 *         "email": "pat@example.com",
                 *         "name": "Pat Person",
                 *         "language": "en",
                 *         "user_id": "9d4e6b18-2c7a-4f05-8e31-6a2b0c9d7e51"
                 *       },
                 *       "template_data": {
                 *         "team_name": "Acme",
                 *         "previous_plan": "pro",
                 *         "brand_name": "Example Hosting"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "email.trial_expired";
                    /** Format: date-time */
                    timestamp: string;
                    email_type: string;
                    recipient: {
                        email: string;
                        name: string | null;
                        language: string;
                        user_id: string | null;
                    };
                    template_data: {
                        team_name: string;
                        previous_plan: string;
                        brand_name: string;
                    };
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onEmailIncidentCreated: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "email.incident_created",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "email_type": "incident_created",
                 *       "recipient": {
                 *         "email": "pat@example.com",
                 *         "name": "Pat Person",
                 *         "language": "en",
                 *         "user_id": "9d4e6b18-2c7a-4f05-8e31-6a2b0c9d7e51"
                 *       },
                 *       "template_data": {
                 *         "incident_id": "0b9f4e0a-3a8e-4b57-8c0c-2f9f3b1d5e21",
                 *         "monitor_id": "5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11",
                 *         "monitor_name": "Shop",
                 *         "monitor_url": "https://shop.example.com/",
                 *         "status": "investigating",
                 *         "severity": "critical",
                 *         "started_at": "2026-01-15T08:30:00.000000Z",
                 *         "resolved_at": null,
                 *         "number": 12,
                 *         "check_type": "uptime",
                 *         "cause": "The site answered with status 503.",
                 *         "code": "wrong_status",
                 *         "resolution": null,
                 *         "timezone": null,
                 *         "quorum": {
                 *           "policy": {
                 *             "mode": "majority",
                 *             "count": null
                 *           },
                 *           "required": 2,
                 *           "asked": [
                 *             "eu-west",
                 *             "us-east",
                 *             "ap-south"
                 *           ],
                 *           "failed": [
                 *             "eu-west",
                 *             "us-east"
                 *           ],
                 *           "ok": [
                 *             "ap-south"
                 *           ],
                 *           "silent": [],
                 *           "excluded": [],
                 *           "regions": {
                 *             "eu-west": {
                 *               "phases": {
                 *                 "dns": 3.2,
                 *                 "connect": 18.4,
                 *                 "tls": 41.7,
                 *                 "first_byte": 96.1,
                 *                 "total": 97.3
                 *               },
                 *               "error": {
                 *                 "code": "wrong_status",
                 *                 "message": "The site answered with status 503."
                 *               },
                 *               "http_status": 503,
                 *               "excerpt": "upstream connect error",
                 *               "at": "2026-01-15T08:30:02.000000Z"
                 *             },
                 *             "us-east": {
                 *               "phases": {
                 *                 "dns": 2.8,
                 *                 "connect": null,
                 *                 "tls": null,
                 *                 "first_byte": null,
                 *                 "total": 10000
                 *               },
                 *               "error": {
                 *                 "code": "timeout",
                 *                 "message": "The connection was not made in time."
                 *               },
                 *               "http_status": null,
                 *               "excerpt": null,
                 *               "at": "2026-01-15T08:30:02.000000Z"
                 *             },
                 *             "ap-south": {
                 *               "phases": {
                 *                 "dns": 3.2,
                 *                 "connect": 18.4,
                 *                 "tls": 41.7,
                 *                 "first_byte": 96.1,
                 *                 "total": 231.4
                 *               },
                 *               "error": null,
                 *               "http_status": 200,
                 *               "excerpt": null,
                 *               "at": "2026-01-15T08:30:02.000000Z"
                 *             }
                 *           }
                 *         },
                 *         "details_url": "https://status.example.com/app/incidents/0b9f4e0a-3a8e-4b57-8c0c-2f9f3b1d5e21",
                 *         "acknowledge_url": "https://status.example.com/acknowledge#C59OCjqOS1eMDC-fOx1eIV8degpqUkxknTUPe3wvahFpceX9AAAAAAAAAAAc0N7z1Yq5s3uJmM2kq7hR",
                 *         "resolve_url": "https://status.example.com/resolve#C59OCjqOS1eMDC-fOx1eIV8degpqUkxknTUPe3wvahFpceX9AAAAAAAAAAAs0N7z1Yq5s3uJmM2kq7hR",
                 *         "brand_name": "Example Hosting"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "email.incident_created";
                    /** Format: date-time */
                    timestamp: string;
                    email_type: string;
                    recipient: {
                        email: string;
                        name: string | null;
                        language: string;
                        user_id: string | null;
                    };
                    template_data: {
                        /** Format: uuid */
                        incident_id: string;
                        /** Format: uuid */
                        monitor_id: string;
                        monitor_name: string;
                        monitor_url: string;
                        title: string;
                        status: string;
                        severity: string;
                        /** Format: date-time */
                        started_at: string;
                        resolved_at: string | null;
                        /** Format: int64 */
                        number?: number;
                        check_type?: string;
                        cause?: string | null;
                        code?: string | null;
                        resolution?: string | null;
                        timezone?: string | null;
                        quorum?: components["schemas"]["QuorumProof"];
                        /** Format: uri */
                        details_url?: string;
                        /** Format: uri */
                        acknowledge_url?: string;
                        /** Format: uri */
                        resolve_url?: string;
                        brand_name: string;
                    };
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onEmailIncidentResolved: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "email.incident_resolved",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "email_type": "incident_resolved",
                 *       "recipient": {
                 *         "email": "pat@example.com",
                 *         "name": "Pat Person",
                 *         "language": "en",
                 *         "user_id": "9d4e6b18-2c7a-4f05-8e31-6a2b0c9d7e51"
                 *       },
                 *       "template_data": {
                 *         "incident_id": "0b9f4e0a-3a8e-4b57-8c0c-2f9f3b1d5e21",
                 *         "monitor_id": "5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11",
                 *         "monitor_name": "Shop",
                 *         "monitor_url": "https://shop.example.com/",
                 *         "status": "resolved",
                 *         "severity": "critical",
                 *         "started_at": "2026-01-15T08:30:00.000000Z",
                 *         "resolved_at": "2026-01-15T08:42:10.000000Z",
                 *         "number": 12,
                 *         "check_type": "uptime",
                 *         "cause": "The site answered with status 503.",
                 *         "code": "wrong_status",
                 *         "resolution": "auto",
                 *         "timezone": null,
                 *         "quorum": {
                 *           "policy": {
                 *             "mode": "majority",
                 *             "count": null
                 *           },
                 *           "required": 2,
                 *           "asked": [
                 *             "eu-west",
                 *             "us-east",
                 *             "ap-south"
                 *           ],
                 *           "failed": [
                 *             "eu-west",
                 *             "us-east"
                 *           ],
                 *           "ok": [
                 *             "ap-south"
                 *           ],
                 *           "silent": [],
                 *           "excluded": [],
                 *           "regions": {
                 *             "eu-west": {
                 *               "phases": {
                 *                 "dns": 3.2,
                 *                 "connect": 18.4,
                 *                 "tls": 41.7,
                 *                 "first_byte": 96.1,
                 *                 "total": 97.3
                 *               },
                 *               "error": {
                 *                 "code": "wrong_status",
                 *                 "message": "The site answered with status 503."
                 *               },
                 *               "http_status": 503,
                 *               "excerpt": "upstream connect error",
                 *               "at": "2026-01-15T08:30:02.000000Z"
                 *             },
                 *             "us-east": {
                 *               "phases": {
                 *                 "dns": 2.8,
                 *                 "connect": null,
                 *                 "tls": null,
                 *                 "first_byte": null,
                 *                 "total": 10000
                 *               },
                 *               "error": {
                 *                 "code": "timeout",
                 *                 "message": "The connection was not made in time."
                 *               },
                 *               "http_status": null,
                 *               "excerpt": null,
                 *               "at": "2026-01-15T08:30:02.000000Z"
                 *             },
                 *             "ap-south": {
                 *               "phases": {
                 *                 "dns": 3.2,
                 *                 "connect": 18.4,
                 *                 "tls": 41.7,
                 *                 "first_byte": 96.1,
                 *                 "total": 231.4
                 *               },
                 *               "error": null,
                 *               "http_status": 200,
                 *               "excerpt": null,
                 *               "at": "2026-01-15T08:30:02.000000Z"
                 *             }
                 *           }
                 *         },
                 *         "details_url": "https://status.example.com/app/incidents/0b9f4e0a-3a8e-4b57-8c0c-2f9f3b1d5e21",
                 *         "brand_name": "Example Hosting"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "email.incident_resolved";
                    /** Format: date-time */
                    timestamp: string;
                    email_type: string;
                    recipient: {
                        email: string;
                        name: string | null;
                        language: string;
                        user_id: string | null;
                    };
                    template_data: {
                        /** Format: uuid */
                        incident_id: string;
                        /** Format: uuid */
                        monitor_id: string;
                        monitor_name: string;
                        monitor_url: string;
                        title: string;
                        status: string;
                        severity: string;
                        /** Format: date-time */
                        started_at: string;
                        resolved_at: string | null;
                        /** Format: int64 */
                        number?: number;
                        check_type?: string;
                        cause?: string | null;
                        code?: string | null;
                        resolution?: string | null;
                        timezone?: string | null;
                        quorum?: components["schemas"]["QuorumProof"];
                        /** Format: uri */
                        details_url?: string;
                        brand_name: string;
                    };
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onEmailWarning: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "email.warning",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "email_type": "warning",
                 *       "recipient": {
                 *         "email": "pat@example.com",
                 *         "name": "Pat Person",
                 *         "language": "en",
                 *         "user_id": "9d4e6b18-2c7a-4f05-8e31-6a2b0c9d7e51"
                 *       },
                 *       "template_data": {
                 *         "monitor_id": "5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11",
                 *         "monitor_name": "Shop",
                 *         "monitor_url": "https://shop.example.com/",
                 *         "warning": "ssl_expiring",
                 *         "check_type": "ssl",
                 *         "code": "ssl_expiring",
                 *         "since": "2026-01-15T08:30:00.000000Z",
                 *         "timestamp": "2026-01-15T08:30:05.000000Z",
                 *         "regions": [
                 *           "eu-west",
                 *           "us-east"
                 *         ],
                 *         "details": {
                 *           "days_remaining": 7,
                 *           "valid_to": "2026-01-22T12:00:00.000000Z",
                 *           "issuer": "Example CA"
                 *         },
                 *         "details_url": "https://status.example.com/app/monitors/5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11",
                 *         "brand_name": "Example Hosting"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "email.warning";
                    /** Format: date-time */
                    timestamp: string;
                    email_type: string;
                    recipient: {
                        email: string;
                        name: string | null;
                        language: string;
                        user_id: string | null;
                    };
                    template_data: {
                        /** Format: uuid */
                        monitor_id: string;
                        monitor_name: string;
                        monitor_url: string;
                        warning: string;
                        check_type: string;
                        title: string;
                        code?: string;
                        /** Format: date-time */
                        since?: string;
                        /** Format: date-time */
                        timestamp?: string;
                        regions?: string[];
                        details?: {
                            [key: string]: unknown;
                        };
                        /** Format: uri */
                        details_url?: string;
                        brand_name: string;
                    };
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onEmailDnsChanged: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "email.dns_changed",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "email_type": "dns_changed",
                 *       "recipient": {
                 *         "email": "pat@example.com",
                 *         "name": "Pat Person",
                 *         "language": "en",
                 *         "user_id": "9d4e6b18-2c7a-4f05-8e31-6a2b0c9d7e51"
                 *       },
                 *       "template_data": {}
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "email.dns_changed";
                    /** Format: date-time */
                    timestamp: string;
                    email_type: string;
                    recipient: {
                        email: string;
                        name: string | null;
                        language: string;
                        user_id: string | null;
                    };
                    template_data: {
                        [key: string]: unknown;
                    };
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onEmailCertificateRenewed: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "email.certificate_renewed",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "email_type": "certificate_renewed",
                 *       "recipient": {
                 *         "email": "pat@example.com",
                 *         "name": "Pat Person",
                 *         "language": "en",
                 *         "user_id": "9d4e6b18-2c7a-4f05-8e31-6a2b0c9d7e51"
                 *       },
                 *       "template_data": {
                 *         "monitor_id": "5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11",
                 *         "monitor_name": "Shop",
                 *         "monitor_url": "https://shop.example.com/",
                 *         "issuer": "Example CA",
                 *         "valid_to": "2026-04-15T00:00:00.000000Z",
                 *         "fingerprint": "5E:2A:91:07",
                 *         "previous_issuer": "Former CA",
                 *         "previous_valid_to": "2026-01-20T00:00:00.000000Z",
                 *         "regions": [
                 *           "eu-west",
                 *           "us-east"
                 *         ],
                 *         "details_url": "https://status.example.com/app/monitors/5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11",
                 *         "brand_name": "Example Hosting"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "email.certificate_renewed";
                    /** Format: date-time */
                    timestamp: string;
                    email_type: string;
                    recipient: {
                        email: string;
                        name: string | null;
                        language: string;
                        user_id: string | null;
                    };
                    template_data: {
                        /** Format: uuid */
                        monitor_id: string;
                        monitor_name: string;
                        monitor_url: string;
                        issuer: string;
                        /** Format: date-time */
                        valid_to: string;
                        fingerprint?: string;
                        previous_issuer?: string;
                        /** Format: date-time */
                        previous_valid_to?: string;
                        regions?: string[];
                        /** Format: uri */
                        details_url?: string;
                        brand_name: string;
                    };
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onEmailDigest: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "email.digest",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "email_type": "digest",
                 *       "recipient": {
                 *         "email": "pat@example.com",
                 *         "name": "Pat Person",
                 *         "language": "en",
                 *         "user_id": "9d4e6b18-2c7a-4f05-8e31-6a2b0c9d7e51"
                 *       },
                 *       "template_data": {
                 *         "period": "daily",
                 *         "team_name": "Acme",
                 *         "from": "2026-01-14T07:00:00.000000Z",
                 *         "to": "2026-01-15T07:00:00.000000Z",
                 *         "timezone": "UTC",
                 *         "uptime_pct": 99.953,
                 *         "monitors_count": 12,
                 *         "monitors_down": [
                 *           {
                 *             "monitor_name": "Shop",
                 *             "monitor_url": "https://shop.example.com/",
                 *             "since": "2026-01-15T06:30:00.000000Z"
                 *           }
                 *         ],
                 *         "incidents": [
                 *           {
                 *             "monitor_name": "Shop",
                 *             "started_at": "2026-01-15T06:30:00.000000Z",
                 *             "resolved_at": null,
                 *             "duration_s": 1800
                 *           },
                 *           {
                 *             "monitor_name": "API",
                 *             "started_at": "2026-01-14T11:00:00.000000Z",
                 *             "resolved_at": "2026-01-14T11:12:10.000000Z",
                 *             "duration_s": 730
                 *           }
                 *         ],
                 *         "incidents_count": 2,
                 *         "uptime": [
                 *           {
                 *             "monitor_name": "Shop",
                 *             "uptime_pct": 97.917
                 *           },
                 *           {
                 *             "monitor_name": "API",
                 *             "uptime_pct": 99.155
                 *           }
                 *         ],
                 *         "details_url": "https://status.example.com/app/monitors",
                 *         "unsubscribe_url": "https://status.example.com/unsubscribe#c2lnbmVk.bGluaw",
                 *         "one_click_url": "https://status.example.com/api/v1/digest/unsubscribe?token=c2lnbmVk.bGluaw",
                 *         "brand_name": "Example Hosting"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "email.digest";
                    /** Format: date-time */
                    timestamp: string;
                    email_type: string;
                    recipient: {
                        email: string;
                        name: string | null;
                        language: string;
                        user_id: string | null;
                    };
                    template_data: {
                        /** @enum {string} */
                        period: "daily" | "weekly";
                        team_name: string;
                        /** Format: date-time */
                        from: string;
                        /** Format: date-time */
                        to: string;
                        timezone: string;
                        uptime_pct: number | null;
                        /** Format: int64 */
                        monitors_count: number;
                        monitors_down: {
                            monitor_name: string;
                            monitor_url: string;
                            since: string | null;
                        }[];
                        incidents: {
                            title: string;
                            monitor_name: string;
                            /** Format: date-time */
                            started_at: string;
                            resolved_at: string | null;
                            /** Format: int64 */
                            duration_s: number;
                        }[];
                        /** Format: int64 */
                        incidents_count: number;
                        uptime: {
                            monitor_name: string;
                            uptime_pct: number;
                        }[];
                        /** Format: uri */
                        details_url?: string;
                        /** Format: uri */
                        unsubscribe_url: string;
                        /** Format: uri */
                        one_click_url: string;
                        brand_name: string;
                    };
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onEmailMonthlyReport: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "email.monthly_report",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "email_type": "monthly_report",
                 *       "recipient": {
                 *         "email": "pat@example.com",
                 *         "name": "Pat Person",
                 *         "language": "en",
                 *         "user_id": "9d4e6b18-2c7a-4f05-8e31-6a2b0c9d7e51"
                 *       },
                 *       "template_data": {
                 *         "team_name": "Acme",
                 *         "month": "2026-01",
                 *         "timezone": "Europe/Berlin",
                 *         "from": "2025-12-31T23:00:00.000000Z",
                 *         "to": "2026-01-31T23:00:00.000000Z",
                 *         "formula_version": 2,
                 *         "monitors_count": 2,
                 *         "uptime_pct": 99.953,
                 *         "downtime_s": 2530,
                 *         "incidents_count": 2,
                 *         "before": {
                 *           "month": "2025-12",
                 *           "uptime_pct": 99.5,
                 *           "downtime_s": 26784,
                 *           "incidents_count": 5
                 *         },
                 *         "worst": [
                 *           {
                 *             "monitor_name": "Shop",
                 *             "uptime_pct": 99.906,
                 *             "downtime_s": 2530,
                 *             "incidents_count": 2,
                 *             "before_pct": 99.1
                 *           }
                 *         ],
                 *         "monitors": [
                 *           {
                 *             "monitor_name": "Shop",
                 *             "uptime_pct": 99.906,
                 *             "downtime_s": 2530,
                 *             "incidents_count": 2,
                 *             "before_pct": 99.1
                 *           },
                 *           {
                 *             "monitor_name": "API",
                 *             "uptime_pct": 100,
                 *             "downtime_s": 0,
                 *             "incidents_count": 0,
                 *             "before_pct": null
                 *           }
                 *         ],
                 *         "incidents": [
                 *           {
                 *             "monitor_name": "Shop",
                 *             "started_at": "2026-01-14T11:00:00.000000Z",
                 *             "resolved_at": "2026-01-14T11:30:00.000000Z",
                 *             "duration_s": 1800
                 *           },
                 *           {
                 *             "monitor_name": "Shop",
                 *             "started_at": "2026-01-31T22:47:50.000000Z",
                 *             "resolved_at": null,
                 *             "duration_s": 730
                 *           }
                 *         ],
                 *         "details_url": "https://status.example.com/app/monitors",
                 *         "unsubscribe_url": "https://status.example.com/unsubscribe/monthly-report#c2lnbmVk.bGluaw",
                 *         "one_click_url": "https://status.example.com/api/v1/monthly-report/unsubscribe?token=c2lnbmVk.bGluaw",
                 *         "brand_name": "Example Hosting"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "email.monthly_report";
                    /** Format: date-time */
                    timestamp: string;
                    email_type: string;
                    recipient: {
                        email: string;
                        name: string | null;
                        language: string;
                        user_id: string | null;
                    };
                    template_data: {
                        team_name: string;
                        month: string;
                        timezone: string;
                        /** Format: date-time */
                        from: string;
                        /** Format: date-time */
                        to: string;
                        /** Format: int64 */
                        formula_version: number;
                        /** Format: int64 */
                        monitors_count: number;
                        uptime_pct: number | null;
                        /** Format: int64 */
                        downtime_s: number;
                        /** Format: int64 */
                        incidents_count: number;
                        before: {
                            month: string;
                            uptime_pct: number | null;
                            /** Format: int64 */
                            downtime_s: number;
                            /** Format: int64 */
                            incidents_count: number;
                        };
                        worst: {
                            monitor_name: string;
                            uptime_pct: number;
                            /** Format: int64 */
                            downtime_s: number;
                            /** Format: int64 */
                            incidents_count: number;
                            before_pct: number | null;
                        }[];
                        monitors: {
                            monitor_name: string;
                            uptime_pct: number;
                            /** Format: int64 */
                            downtime_s: number;
                            /** Format: int64 */
                            incidents_count: number;
                            before_pct: number | null;
                        }[];
                        incidents: {
                            title: string;
                            monitor_name: string;
                            /** Format: date-time */
                            started_at: string;
                            resolved_at: string | null;
                            /** Format: int64 */
                            duration_s: number;
                        }[];
                        /** Format: uri */
                        details_url?: string;
                        /** Format: uri */
                        unsubscribe_url: string;
                        /** Format: uri */
                        one_click_url: string;
                        brand_name: string;
                    };
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onEmailStatusPageSubscription: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "email.status_page_subscription",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "email_type": "status_page_subscription",
                 *       "recipient": {
                 *         "email": "pat@example.com",
                 *         "name": "Pat Person",
                 *         "language": "en",
                 *         "user_id": "9d4e6b18-2c7a-4f05-8e31-6a2b0c9d7e51"
                 *       },
                 *       "template_data": {
                 *         "page_name": "Acme status",
                 *         "page_url": "https://status.example.com/status/acme",
                 *         "phase": "identified",
                 *         "impact": "major",
                 *         "body": "A database ran out of space. We are adding some.",
                 *         "components": [
                 *           "Shop",
                 *           "API"
                 *         ],
                 *         "updated_at": "2026-01-15T08:30:00.000000Z",
                 *         "timezone": "UTC",
                 *         "incident_url": "https://status.example.com/status/acme/incidents/f3a90c6d-52b7-4e18-8d4f-1c7e6b2a9d05",
                 *         "unsubscribe_url": "https://status.example.com/status-subscription/unsubscribe#86kMbVK3ThiNTxx-ayqdBXIv1XqClSZMafs3WvahFpceX9DY",
                 *         "one_click_url": "https://status.example.com/api/v1/status-subscriptions/unsubscribe?token=86kMbVK3ThiNTxx-ayqdBXIv1XqClSZMafs3WvahFpce",
                 *         "brand_name": "Example Hosting"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "email.status_page_subscription";
                    /** Format: date-time */
                    timestamp: string;
                    email_type: string;
                    recipient: {
                        email: string;
                        name: string | null;
                        language: string;
                        user_id: string | null;
                    };
                    template_data: {
                        page_name: string;
                        /** Format: uri */
                        page_url: string;
                        title: string;
                        phase: components["schemas"]["IncidentStatus"];
                        impact: components["schemas"]["Impact"];
                        body: string;
                        components: string[];
                        /** Format: date-time */
                        updated_at: string;
                        timezone: string;
                        /** Format: uri */
                        incident_url: string;
                        /** Format: uri */
                        unsubscribe_url: string;
                        /** Format: uri */
                        one_click_url: string;
                        brand_name: string;
                    };
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onEmailSecurityMfaEnabled: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "email.security_mfa_enabled",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "email_type": "security_mfa_enabled",
                 *       "recipient": {
                 *         "email": "pat@example.com",
                 *         "name": "Pat Person",
                 *         "language": "en",
                 *         "user_id": "9d4e6b18-2c7a-4f05-8e31-6a2b0c9d7e51"
                 *       },
                 *       "template_data": {
                 *         "user_name": "Pat Person",
                 *         "user_email": "pat@example.com",
                 *         "occurred_at": "2026-01-15T08:30:00.000000Z",
                 *         "ip_address": "198.51.100.7",
                 *         "brand_name": "Example Hosting"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "email.security_mfa_enabled";
                    /** Format: date-time */
                    timestamp: string;
                    email_type: string;
                    recipient: {
                        email: string;
                        name: string | null;
                        language: string;
                        user_id: string | null;
                    };
                    template_data: {
                        user_name: string;
                        user_email: string;
                        /** Format: date-time */
                        occurred_at: string;
                        ip_address: string | null;
                        brand_name: string;
                    };
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onEmailSecurityMfaDisabled: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "email.security_mfa_disabled",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "email_type": "security_mfa_disabled",
                 *       "recipient": {
                 *         "email": "pat@example.com",
                 *         "name": "Pat Person",
                 *         "language": "en",
                 *         "user_id": "9d4e6b18-2c7a-4f05-8e31-6a2b0c9d7e51"
                 *       },
                 *       "template_data": {
                 *         "user_name": "Pat Person",
                 *         "user_email": "pat@example.com",
                 *         "occurred_at": "2026-01-15T08:30:00.000000Z",
                 *         "ip_address": "198.51.100.7",
                 *         "brand_name": "Example Hosting"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "email.security_mfa_disabled";
                    /** Format: date-time */
                    timestamp: string;
                    email_type: string;
                    recipient: {
                        email: string;
                        name: string | null;
                        language: string;
                        user_id: string | null;
                    };
                    template_data: {
                        user_name: string;
                        user_email: string;
                        /** Format: date-time */
                        occurred_at: string;
                        ip_address: string | null;
                        brand_name: string;
                    };
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onEmailSecurityRecoveryCodesRegenerated: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "email.security_recovery_codes_regenerated",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "email_type": "security_recovery_codes_regenerated",
                 *       "recipient": {
                 *         "email": "pat@example.com",
                 *         "name": "Pat Person",
                 *         "language": "en",
                 *         "user_id": "9d4e6b18-2c7a-4f05-8e31-6a2b0c9d7e51"
                 *       },
                 *       "template_data": {
                 *         "user_name": "Pat Person",
                 *         "user_email": "pat@example.com",
                 *         "occurred_at": "2026-01-15T08:30:00.000000Z",
                 *         "ip_address": "198.51.100.7",
                 *         "brand_name": "Example Hosting"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "email.security_recovery_codes_regenerated";
                    /** Format: date-time */
                    timestamp: string;
                    email_type: string;
                    recipient: {
                        email: string;
                        name: string | null;
                        language: string;
                        user_id: string | null;
                    };
                    template_data: {
                        user_name: string;
                        user_email: string;
                        /** Format: date-time */
                        occurred_at: string;
                        ip_address: string | null;
                        brand_name: string;
                    };
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onEmailSecurityMfaReset: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "email.security_mfa_reset",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "email_type": "security_mfa_reset",
                 *       "recipient": {
                 *         "email": "pat@example.com",
                 *         "name": "Pat Person",
                 *         "language": "en",
                 *         "user_id": "9d4e6b18-2c7a-4f05-8e31-6a2b0c9d7e51"
                 *       },
                 *       "template_data": {
                 *         "user_name": "Pat Person",
                 *         "user_email": "pat@example.com",
                 *         "occurred_at": "2026-01-15T08:30:00.000000Z",
                 *         "ip_address": null,
                 *         "brand_name": "Example Hosting"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "email.security_mfa_reset";
                    /** Format: date-time */
                    timestamp: string;
                    email_type: string;
                    recipient: {
                        email: string;
                        name: string | null;
                        language: string;
                        user_id: string | null;
                    };
                    template_data: {
                        user_name: string;
                        user_email: string;
                        /** Format: date-time */
                        occurred_at: string;
                        ip_address: string | null;
                        brand_name: string;
                    };
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onEmailSecurityPasskeyAdded: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "email.security_passkey_added",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "email_type": "security_passkey_added",
                 *       "recipient": {
                 *         "email": "pat@example.com",
                 *         "name": "Pat Person",
                 *         "language": "en",
                 *         "user_id": "9d4e6b18-2c7a-4f05-8e31-6a2b0c9d7e51"
                 *       },
                 *       "template_data": {
                 *         "user_name": "Pat Person",
                 *         "user_email": "pat@example.com",
                 *         "occurred_at": "2026-01-15T08:30:00.000000Z",
                 *         "ip_address": "198.51.100.7",
                 *         "brand_name": "Example Hosting"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "email.security_passkey_added";
                    /** Format: date-time */
                    timestamp: string;
                    email_type: string;
                    recipient: {
                        email: string;
                        name: string | null;
                        language: string;
                        user_id: string | null;
                    };
                    template_data: {
                        user_name: string;
                        user_email: string;
                        /** Format: date-time */
                        occurred_at: string;
                        ip_address: string | null;
                        brand_name: string;
                    };
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onEmailSecurityPasskeyRemoved: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "email.security_passkey_removed",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "email_type": "security_passkey_removed",
                 *       "recipient": {
                 *         "email": "pat@example.com",
                 *         "name": "Pat Person",
                 *         "language": "en",
                 *         "user_id": "9d4e6b18-2c7a-4f05-8e31-6a2b0c9d7e51"
                 *       },
                 *       "template_data": {
                 *         "user_name": "Pat Person",
                 *         "user_email": "pat@example.com",
                 *         "occurred_at": "2026-01-15T08:30:00.000000Z",
                 *         "ip_address": "198.51.100.7",
                 *         "brand_name": "Example Hosting"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "email.security_passkey_removed";
                    /** Format: date-time */
                    timestamp: string;
                    email_type: string;
                    recipient: {
                        email: string;
                        name: string | null;
                        language: string;
                        user_id: string | null;
                    };
                    template_data: {
                        user_name: string;
                        user_email: string;
                        /** Format: date-time */
                        occurred_at: string;
                        ip_address: string | null;
                        brand_name: string;
                    };
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onEmailSecurityPasswordChanged: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "email.security_password_changed",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "email_type": "security_password_changed",
                 *       "recipient": {
                 *         "email": "pat@example.com",
                 *         "name": "Pat Person",
                 *         "language": "en",
                 *         "user_id": "9d4e6b18-2c7a-4f05-8e31-6a2b0c9d7e51"
                 *       },
                 *       "template_data": {
                 *         "user_name": "Pat Person",
                 *         "user_email": "pat@example.com",
                 *         "occurred_at": "2026-01-15T08:30:00.000000Z",
                 *         "ip_address": "198.51.100.7",
                 *         "keys": [
                 *           {
                 *             "name": "CI",
                 *             "kind": "svc"
                 *           }
                 *         ],
                 *         "keys_elsewhere": 2,
                 *         "brand_name": "Example Hosting"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "email.security_password_changed";
                    /** Format: date-time */
                    timestamp: string;
                    email_type: string;
                    recipient: {
                        email: string;
                        name: string | null;
                        language: string;
                        user_id: string | null;
                    };
                    template_data: {
                        user_name: string;
                        user_email: string;
                        /** Format: date-time */
                        occurred_at: string;
                        ip_address: string | null;
                        keys?: {
                            name: string;
                            /** @enum {string} */
                            kind: "rk" | "svc";
                        }[];
                        /** Format: int64 */
                        keys_elsewhere?: number;
                        brand_name: string;
                    };
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onEmailSecurityEmailChanged: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "email.security_email_changed",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "email_type": "security_email_changed",
                 *       "recipient": {
                 *         "email": "pat@example.com",
                 *         "name": "Pat Person",
                 *         "language": "en",
                 *         "user_id": "9d4e6b18-2c7a-4f05-8e31-6a2b0c9d7e51"
                 *       },
                 *       "template_data": {
                 *         "user_name": "Pat Person",
                 *         "user_email": "pat@example.com",
                 *         "occurred_at": "2026-01-15T08:30:00.000000Z",
                 *         "ip_address": "198.51.100.7",
                 *         "brand_name": "Example Hosting"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "email.security_email_changed";
                    /** Format: date-time */
                    timestamp: string;
                    email_type: string;
                    recipient: {
                        email: string;
                        name: string | null;
                        language: string;
                        user_id: string | null;
                    };
                    template_data: {
                        user_name: string;
                        user_email: string;
                        /** Format: date-time */
                        occurred_at: string;
                        ip_address: string | null;
                        brand_name: string;
                    };
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onEmailSecurityApiTokenCreated: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "email.security_api_token_created",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "email_type": "security_api_token_created",
                 *       "recipient": {
                 *         "email": "pat@example.com",
                 *         "name": "Pat Person",
                 *         "language": "en",
                 *         "user_id": "9d4e6b18-2c7a-4f05-8e31-6a2b0c9d7e51"
                 *       },
                 *       "template_data": {
                 *         "user_name": "Pat Person",
                 *         "user_email": "pat@example.com",
                 *         "occurred_at": "2026-01-15T08:30:00.000000Z",
                 *         "ip_address": "198.51.100.7",
                 *         "brand_name": "Example Hosting"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "email.security_api_token_created";
                    /** Format: date-time */
                    timestamp: string;
                    email_type: string;
                    recipient: {
                        email: string;
                        name: string | null;
                        language: string;
                        user_id: string | null;
                    };
                    template_data: {
                        user_name: string;
                        user_email: string;
                        /** Format: date-time */
                        occurred_at: string;
                        ip_address: string | null;
                        brand_name: string;
                    };
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onEmailSecurityApiTokenRevoked: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "email.security_api_token_revoked",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "email_type": "security_api_token_revoked",
                 *       "recipient": {
                 *         "email": "pat@example.com",
                 *         "name": "Pat Person",
                 *         "language": "en",
                 *         "user_id": "9d4e6b18-2c7a-4f05-8e31-6a2b0c9d7e51"
                 *       },
                 *       "template_data": {
                 *         "user_name": "Pat Person",
                 *         "user_email": "pat@example.com",
                 *         "occurred_at": "2026-01-15T08:30:00.000000Z",
                 *         "ip_address": "198.51.100.7",
                 *         "brand_name": "Example Hosting"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "email.security_api_token_revoked";
                    /** Format: date-time */
                    timestamp: string;
                    email_type: string;
                    recipient: {
                        email: string;
                        name: string | null;
                        language: string;
                        user_id: string | null;
                    };
                    template_data: {
                        user_name: string;
                        user_email: string;
                        /** Format: date-time */
                        occurred_at: string;
                        ip_address: string | null;
                        brand_name: string;
                    };
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onEmailSecuritySessionRevoked: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "email.security_session_revoked",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "email_type": "security_session_revoked",
                 *       "recipient": {
                 *         "email": "pat@example.com",
                 *         "name": "Pat Person",
                 *         "language": "en",
                 *         "user_id": "9d4e6b18-2c7a-4f05-8e31-6a2b0c9d7e51"
                 *       },
                 *       "template_data": {
                 *         "user_name": "Pat Person",
                 *         "user_email": "pat@example.com",
                 *         "occurred_at": "2026-01-15T08:30:00.000000Z",
                 *         "ip_address": "198.51.100.7",
                 *         "brand_name": "Example Hosting"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "email.security_session_revoked";
                    /** Format: date-time */
                    timestamp: string;
                    email_type: string;
                    recipient: {
                        email: string;
                        name: string | null;
                        language: string;
                        user_id: string | null;
                    };
                    template_data: {
                        user_name: string;
                        user_email: string;
                        /** Format: date-time */
                        occurred_at: string;
                        ip_address: string | null;
                        brand_name: string;
                    };
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onEmailSecurityLoginNewDevice: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "email.security_login_new_device",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "email_type": "security_login_new_device",
                 *       "recipient": {
                 *         "email": "pat@example.com",
                 *         "name": "Pat Person",
                 *         "language": "en",
                 *         "user_id": "9d4e6b18-2c7a-4f05-8e31-6a2b0c9d7e51"
                 *       },
                 *       "template_data": {
                 *         "user_name": "Pat Person",
                 *         "user_email": "pat@example.com",
                 *         "occurred_at": "2026-01-15T08:30:00.000000Z",
                 *         "ip_address": "198.51.100.7",
                 *         "device": "Firefox, Windows",
                 *         "brand_name": "Example Hosting"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "email.security_login_new_device";
                    /** Format: date-time */
                    timestamp: string;
                    email_type: string;
                    recipient: {
                        email: string;
                        name: string | null;
                        language: string;
                        user_id: string | null;
                    };
                    template_data: {
                        user_name: string;
                        user_email: string;
                        /** Format: date-time */
                        occurred_at: string;
                        ip_address: string | null;
                        device: string;
                        brand_name: string;
                    };
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onEmailSecurityAccountBlocked: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "email.security_account_blocked",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "email_type": "security_account_blocked",
                 *       "recipient": {
                 *         "email": "pat@example.com",
                 *         "name": "Pat Person",
                 *         "language": "en",
                 *         "user_id": "9d4e6b18-2c7a-4f05-8e31-6a2b0c9d7e51"
                 *       },
                 *       "template_data": {
                 *         "user_name": "Pat Person",
                 *         "user_email": "pat@example.com",
                 *         "occurred_at": "2026-01-15T08:30:00.000000Z",
                 *         "ip_address": null,
                 *         "reason": "guesses",
                 *         "team_name": null,
                 *         "network": "203.0.113.0/24",
                 *         "brand_name": "Example Hosting"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "email.security_account_blocked";
                    /** Format: date-time */
                    timestamp: string;
                    email_type: string;
                    recipient: {
                        email: string;
                        name: string | null;
                        language: string;
                        user_id: string | null;
                    };
                    template_data: {
                        user_name: string;
                        user_email: string;
                        /** Format: date-time */
                        occurred_at: string;
                        ip_address: string | null;
                        /** @enum {string} */
                        reason: "guesses" | "administrator";
                        team_name: string | null;
                        network: string | null;
                        brand_name: string;
                    };
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onEmailSecurityAccountUnblocked: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "email.security_account_unblocked",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "email_type": "security_account_unblocked",
                 *       "recipient": {
                 *         "email": "pat@example.com",
                 *         "name": "Pat Person",
                 *         "language": "en",
                 *         "user_id": "9d4e6b18-2c7a-4f05-8e31-6a2b0c9d7e51"
                 *       },
                 *       "template_data": {
                 *         "user_name": "Pat Person",
                 *         "user_email": "pat@example.com",
                 *         "occurred_at": "2026-01-15T08:30:00.000000Z",
                 *         "ip_address": null,
                 *         "team_name": "Acme",
                 *         "brand_name": "Example Hosting"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "email.security_account_unblocked";
                    /** Format: date-time */
                    timestamp: string;
                    email_type: string;
                    recipient: {
                        email: string;
                        name: string | null;
                        language: string;
                        user_id: string | null;
                    };
                    template_data: {
                        user_name: string;
                        user_email: string;
                        /** Format: date-time */
                        occurred_at: string;
                        ip_address: string | null;
                        team_name: string;
                        brand_name: string;
                    };
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onEmailSecurityRoleChanged: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "email.security_role_changed",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "email_type": "security_role_changed",
                 *       "recipient": {
                 *         "email": "pat@example.com",
                 *         "name": "Pat Person",
                 *         "language": "en",
                 *         "user_id": "9d4e6b18-2c7a-4f05-8e31-6a2b0c9d7e51"
                 *       },
                 *       "template_data": {
                 *         "user_name": "Pat Person",
                 *         "user_email": "pat@example.com",
                 *         "occurred_at": "2026-01-15T08:30:00.000000Z",
                 *         "ip_address": null,
                 *         "team_name": "Acme",
                 *         "role": "admin",
                 *         "brand_name": "Example Hosting"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "email.security_role_changed";
                    /** Format: date-time */
                    timestamp: string;
                    email_type: string;
                    recipient: {
                        email: string;
                        name: string | null;
                        language: string;
                        user_id: string | null;
                    };
                    template_data: {
                        user_name: string;
                        user_email: string;
                        /** Format: date-time */
                        occurred_at: string;
                        ip_address: string | null;
                        team_name: string;
                        role: string;
                        brand_name: string;
                    };
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onEmailSecurityAuthPolicyChanged: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "email.security_auth_policy_changed",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "email_type": "security_auth_policy_changed",
                 *       "recipient": {
                 *         "email": "pat@example.com",
                 *         "name": "Pat Person",
                 *         "language": "en",
                 *         "user_id": "9d4e6b18-2c7a-4f05-8e31-6a2b0c9d7e51"
                 *       },
                 *       "template_data": {
                 *         "user_name": "Pat Person",
                 *         "user_email": "pat@example.com",
                 *         "occurred_at": "2026-01-15T08:30:00.000000Z",
                 *         "ip_address": null,
                 *         "team_name": "Acme",
                 *         "change": "mfa_required",
                 *         "mfa_due_at": "2026-01-22T08:30:00.000000Z",
                 *         "brand_name": "Example Hosting"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "email.security_auth_policy_changed";
                    /** Format: date-time */
                    timestamp: string;
                    email_type: string;
                    recipient: {
                        email: string;
                        name: string | null;
                        language: string;
                        user_id: string | null;
                    };
                    template_data: {
                        user_name: string;
                        user_email: string;
                        /** Format: date-time */
                        occurred_at: string;
                        ip_address: string | null;
                        team_name: string;
                        /** @enum {string} */
                        change: "mfa_required" | "mfa_optional" | "sso_enforced" | "sso_optional" | "sso_changed" | "sso_removed";
                        mfa_due_at: string | null;
                        brand_name: string;
                    };
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onEmailSecurityAccountDeleted: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "email.security_account_deleted",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "email_type": "security_account_deleted",
                 *       "recipient": {
                 *         "email": "pat@example.com",
                 *         "name": "Pat Person",
                 *         "language": "en",
                 *         "user_id": "9d4e6b18-2c7a-4f05-8e31-6a2b0c9d7e51"
                 *       },
                 *       "template_data": {
                 *         "user_name": "Pat Person",
                 *         "user_email": "pat@example.com",
                 *         "occurred_at": "2026-01-15T08:30:00.000000Z",
                 *         "ip_address": "198.51.100.7",
                 *         "brand_name": "Example Hosting"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "email.security_account_deleted";
                    /** Format: date-time */
                    timestamp: string;
                    email_type: string;
                    recipient: {
                        email: string;
                        name: string | null;
                        language: string;
                        user_id: string | null;
                    };
                    template_data: {
                        user_name: string;
                        user_email: string;
                        /** Format: date-time */
                        occurred_at: string;
                        ip_address: string | null;
                        brand_name: string;
                    };
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onMonitorDown: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "monitor.down",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "incident_id": "0b9f4e0a-3a8e-4b57-8c0c-2f9f3b1d5e21",
                 *       "monitor_id": "5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11",
                 *       "monitor_name": "Shop",
                 *       "monitor_url": "https://shop.example.com/",
                 *       "status": "investigating",
                 *       "severity": "critical",
                 *       "started_at": "2026-01-15T08:30:00.000000Z",
                 *       "resolved_at": null,
                 *       "number": 12,
                 *       "check_type": "uptime",
                 *       "cause": "The site answered with status 503.",
                 *       "code": "wrong_status",
                 *       "resolution": null,
                 *       "timezone": null,
                 *       "quorum": {
                 *         "policy": {
                 *           "mode": "majority",
                 *           "count": null
                 *         },
                 *         "required": 2,
                 *         "asked": [
                 *           "eu-west",
                 *           "us-east",
                 *           "ap-south"
                 *         ],
                 *         "failed": [
                 *           "eu-west",
                 *           "us-east"
                 *         ],
                 *         "ok": [
                 *           "ap-south"
                 *         ],
                 *         "silent": [],
                 *         "excluded": [],
                 *         "regions": {
                 *           "eu-west": {
                 *             "phases": {
                 *               "dns": 3.2,
                 *               "connect": 18.4,
                 *               "tls": 41.7,
                 *               "first_byte": 96.1,
                 *               "total": 97.3
                 *             },
                 *             "error": {
                 *               "code": "wrong_status",
                 *               "message": "The site answered with status 503."
                 *             },
                 *             "http_status": 503,
                 *             "excerpt": "upstream connect error",
                 *             "at": "2026-01-15T08:30:02.000000Z"
                 *           },
                 *           "us-east": {
                 *             "phases": {
                 *               "dns": 2.8,
                 *               "connect": null,
                 *               "tls": null,
                 *               "first_byte": null,
                 *               "total": 10000
                 *             },
                 *             "error": {
                 *               "code": "timeout",
                 *               "message": "The connection was not made in time."
                 *             },
                 *             "http_status": null,
                 *             "excerpt": null,
                 *             "at": "2026-01-15T08:30:02.000000Z"
                 *           },
                 *           "ap-south": {
                 *             "phases": {
                 *               "dns": 3.2,
                 *               "connect": 18.4,
                 *               "tls": 41.7,
                 *               "first_byte": 96.1,
                 *               "total": 231.4
                 *             },
                 *             "error": null,
                 *             "http_status": 200,
                 *             "excerpt": null,
                 *             "at": "2026-01-15T08:30:02.000000Z"
                 *           }
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "monitor.down";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    incident_id: string;
                    /** Format: uuid */
                    monitor_id: string;
                    monitor_name: string;
                    monitor_url: string;
                    title: string;
                    status: string;
                    severity: string;
                    /** Format: date-time */
                    started_at: string;
                    resolved_at: string | null;
                    /** Format: int64 */
                    number?: number;
                    check_type?: string;
                    cause?: string | null;
                    code?: string | null;
                    resolution?: string | null;
                    timezone?: string | null;
                    quorum?: components["schemas"]["QuorumProof"];
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onMonitorUp: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "monitor.up",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "incident_id": "0b9f4e0a-3a8e-4b57-8c0c-2f9f3b1d5e21",
                 *       "monitor_id": "5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11",
                 *       "monitor_name": "Shop",
                 *       "monitor_url": "https://shop.example.com/",
                 *       "status": "resolved",
                 *       "severity": "critical",
                 *       "started_at": "2026-01-15T08:30:00.000000Z",
                 *       "resolved_at": "2026-01-15T08:42:10.000000Z",
                 *       "number": 12,
                 *       "check_type": "uptime",
                 *       "cause": "The site answered with status 503.",
                 *       "code": "wrong_status",
                 *       "resolution": "auto",
                 *       "timezone": null,
                 *       "quorum": {
                 *         "policy": {
                 *           "mode": "majority",
                 *           "count": null
                 *         },
                 *         "required": 2,
                 *         "asked": [
                 *           "eu-west",
                 *           "us-east",
                 *           "ap-south"
                 *         ],
                 *         "failed": [
                 *           "eu-west",
                 *           "us-east"
                 *         ],
                 *         "ok": [
                 *           "ap-south"
                 *         ],
                 *         "silent": [],
                 *         "excluded": [],
                 *         "regions": {
                 *           "eu-west": {
                 *             "phases": {
                 *               "dns": 3.2,
                 *               "connect": 18.4,
                 *               "tls": 41.7,
                 *               "first_byte": 96.1,
                 *               "total": 97.3
                 *             },
                 *             "error": {
                 *               "code": "wrong_status",
                 *               "message": "The site answered with status 503."
                 *             },
                 *             "http_status": 503,
                 *             "excerpt": "upstream connect error",
                 *             "at": "2026-01-15T08:30:02.000000Z"
                 *           },
                 *           "us-east": {
                 *             "phases": {
                 *               "dns": 2.8,
                 *               "connect": null,
                 *               "tls": null,
                 *               "first_byte": null,
                 *               "total": 10000
                 *             },
                 *             "error": {
                 *               "code": "timeout",
                 *               "message": "The connection was not made in time."
                 *             },
                 *             "http_status": null,
                 *             "excerpt": null,
                 *             "at": "2026-01-15T08:30:02.000000Z"
                 *           },
                 *           "ap-south": {
                 *             "phases": {
                 *               "dns": 3.2,
                 *               "connect": 18.4,
                 *               "tls": 41.7,
                 *               "first_byte": 96.1,
                 *               "total": 231.4
                 *             },
                 *             "error": null,
                 *             "http_status": 200,
                 *             "excerpt": null,
                 *             "at": "2026-01-15T08:30:02.000000Z"
                 *           }
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "monitor.up";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    incident_id: string;
                    /** Format: uuid */
                    monitor_id: string;
                    monitor_name: string;
                    monitor_url: string;
                    title: string;
                    status: string;
                    severity: string;
                    /** Format: date-time */
                    started_at: string;
                    resolved_at: string | null;
                    /** Format: int64 */
                    number?: number;
                    check_type?: string;
                    cause?: string | null;
                    code?: string | null;
                    resolution?: string | null;
                    timezone?: string | null;
                    quorum?: components["schemas"]["QuorumProof"];
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
    onSslExpiring: {
        parameters: {
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
                "X-Webhook-Signature"?: components["parameters"]["XWebhookSignature"];
            };
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "ssl.expiring",
                 *       "timestamp": "2026-01-15T08:30:00.000000Z",
                 *       "monitor_id": "5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11",
                 *       "monitor_name": "Shop",
                 *       "monitor_url": "https://shop.example.com/",
                 *       "check_id": "c4b7e2d9-3a61-4f58-9e0c-7d2f1b8a6e35",
                 *       "regions": [
                 *         "eu",
                 *         "us"
                 *       ],
                 *       "check_type": "ssl",
                 *       "code": "ssl_expiring",
                 *       "since": "2026-01-15T08:30:00.000000Z",
                 *       "details": {
                 *         "days_remaining": 7
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    event: "ssl.expiring";
                    /** Format: date-time */
                    timestamp: string;
                    /** Format: uuid */
                    monitor_id: string;
                    monitor_name: string;
                    monitor_url: string;
                    /** Format: uuid */
                    check_id: string;
                    check_type: string;
                    title: string;
                    code: string;
                    /** Format: date-time */
                    since: string;
                    regions: string[];
                    details: {
                        [key: string]: unknown;
                    };
                    _managed_tenant?: components["schemas"]["WebhookManagedTenant"];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            "2XX": components["responses"]["WebhookTaken"];
            default: components["responses"]["WebhookNotTaken"];
        };
    };
}
