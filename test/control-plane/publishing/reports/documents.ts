import type { RenderableDocument } from '#control-plane/publishing/reports/pdf/document.ts'

const none = { uptime_pct: null, downtime_s: 0, incidents_count: 0 }
const times = { avg_response_ms: null, p50_response_ms: null, p95_response_ms: null, p99_response_ms: null }

/** A report in which each text of a user is this one. */
export const aDocument = (text: string, more: Partial<RenderableDocument> = {}): RenderableDocument => ({
  language: 'en',
  timezone: 'UTC',
  brand: { name: text, color: '#1f6feb', footerText: text, hidesPoweredBy: false, logoUrl: null },
  team: text,
  logo: null,
  content: {
    kind: 'month',
    isSoFar: false,
    report: {
      month: '2026-01',
      timezone: 'UTC',
      from: '2026-01-01T00:00:00.000000Z',
      to: '2026-02-01T00:00:00.000000Z',
      formula_version: 1,
      monitors_count: 1,
      ...none,
      before: { month: '2025-12', ...none },
      incidents: [],
      history_waits_since: null,
      sent: null,
      imported: {
        ...{ formula: 'imported_incidents_1', uptime_pct: 99.5, downtime_s: 60, known_s: 86_400, incidents_count: 1 },
        monitors: [
          {
            ...{ monitor_id: '5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11', monitor_name: text, source: text, days_count: 1 },
            ...{ uptime_pct: 99.5, downtime_s: 60, known_s: 86_400, incidents_count: 1 },
          },
        ],
      },
      monitors: [
        {
          monitor_id: '5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11',
          monitor_name: text,
          monitor_url: text,
          is_removed: false,
          ...none,
          ...times,
          maintenance_s: 0,
          no_data_s: 0,
          longest_s: 0,
          mtta_s: null,
          mttr_s: null,
          before: none,
          slo: null,
        },
      ],
    },
    days: {},
    incidents: {
      count: 1,
      shown: [
        {
          title: text,
          monitor_name: text,
          cause: text,
          started_at: '2026-01-02T00:00:00.000000Z',
          resolved_at: null,
          duration_s: 5,
          proof: text,
          regions: [{ region: text, saw: text }],
        },
      ],
    },
    maintenance: [{ title: text, started_at: '2026-01-02T00:00:00.000000Z', ended_at: null }],
  },
  ...more,
})
