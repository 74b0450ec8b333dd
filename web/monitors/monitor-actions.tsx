import { useTranslation } from 'react-i18next'
import type { Schemas } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Menu } from '../parts/menu.tsx'
import { toast } from '../parts/toast.tsx'
import { useRunNow, useSnooze, useSwitch } from './actions.ts'
import { monitorYaml } from './as-code.ts'
import { CloneButton } from './clone-button.tsx'
import { hasRuns, mainCheck } from './kinds.ts'
import type { Monitor } from './queries.ts'

const snoozeHours = [1, 4, 24]

/** What can be done with a monitor at once: run it, snooze it, pause it. */
export function MonitorActions({ monitor }: { monitor: Monitor }) {
  const { t } = useTranslation('monitors')
  const { checks, is_enabled } = monitor
  const isRun = hasRuns(monitor)
  const check = mainCheck(checks)
  const run = useRunNow()
  const snooze = useSnooze(checks)
  const turn = useSwitch(monitor)
  const refused = { onError: toast.failure }
  const sayRan = ({ asked, results }: Schemas['CheckRun']) =>
    toast.success(t('action.ran', { count: results.length, total: asked.length }))
  const isSnoozed = checks.some(({ snoozed_until }) => snoozed_until !== null)
  return (
    <>
      {isRun && check && (
        <Button
          icon="refresh"
          onPress={() => run.mutate(check.id, { ...refused, onSuccess: sayRan })}
          isPending={run.isPending}
          isDisabled={!is_enabled}
        >
          {t('action.run')}
        </Button>
      )}
      {isSnoozed ? (
        <Button icon="bell" onPress={() => snooze.mutate(null, refused)} isPending={snooze.isPending}>
          {t('action.unsnooze')}
        </Button>
      ) : (
        <Menu
          label={t('action.snooze')}
          trigger={<Button icon="snooze">{t('action.snooze')}</Button>}
          actions={snoozeHours.map(hours => ({
            id: String(hours),
            label: t('action.snoozeHours', { count: hours }),
            onAction: () => snooze.mutate(hours * 60, refused),
          }))}
        />
      )}
      <Button
        icon={is_enabled ? 'pause' : 'play'}
        onPress={() => turn.mutate(!is_enabled, refused)}
        isPending={turn.isPending}
      >
        {t(is_enabled ? 'action.pause' : 'action.resume')}
      </Button>
      {isRun && <CloneButton id={monitor.id} name={monitor.name} to="/app/monitors/$monitor" />}
      {isRun && <CopyButton text={() => monitorYaml(monitor)} word={t('action.yaml')} />}
    </>
  )
}
