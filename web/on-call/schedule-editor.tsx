import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, type Schemas } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { SelectField, TextField } from '../parts/field.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { useTimes } from '../parts/time.tsx'
import { toast } from '../parts/toast.tsx'
import { usePerson } from '../shell/session.ts'
import { lastHandoff } from './local.ts'
import { readAgain, type Schedule } from './queries.ts'
import { RotationFields } from './rotation-fields.tsx'

type Rotation = Schemas['OnCallRotationChange']

const mostRotations = 10
const zones = Intl.supportedValuesOf('timeZone')

/** Without its order: the place in the list decides. */
const changeOf = ({ order, ...rest }: Schedule['rotations'][number]): Rotation => rest

/** A schedule: its zone, and its rotations in the order in which they decide. */
export function ScheduleEditor({ schedule, onClose }: { schedule: Schedule | null; onClose(): void }) {
  const { t } = useTranslation('on-call')
  const { timezone: ownZone } = usePerson()
  const times = useTimes()
  const [now] = useState(Date.now)
  const [zone, setZone] = useState(schedule?.timezone ?? ownZone)
  const newRotation = (number: number): Rotation => ({
    name: t('rotation.title', { number }),
    users: [],
    handoff: 'weekly',
    first_handoff_at: lastHandoff(now, zone),
  })
  const [name, setName] = useState(schedule?.name ?? '')
  const [rotations, setRotations] = useState<readonly Rotation[]>(() =>
    schedule ? schedule.rotations.map(changeOf) : [newRotation(1)],
  )
  /** A first handoff that was only proposed is the same hour of the other zone. */
  const moveTo = (next: string) => {
    const [before, after] = [lastHandoff(now, zone), lastHandoff(now, next)]
    const moved = (each: Rotation) => (each.first_handoff_at === before ? { ...each, first_handoff_at: after } : each)
    if (schedule === null) setRotations(rotations.map(moved))
    setZone(next)
  }
  const put = (at: number, rotation: Rotation) =>
    setRotations(rotations.map((each, index) => (index === at ? rotation : each)))
  const save = async () => {
    const body = { name, timezone: zone, rotations: [...rotations] }
    const params = { path: { on_call_schedule: schedule?.id ?? '' } }
    const { data: saved } = await (schedule === null
      ? bodyOf(api.POST('/api/v1/on-call-schedules', { body }))
      : bodyOf(api.PATCH('/api/v1/on-call-schedules/{on_call_schedule}', { params, body })))
    await readAgain()
    const { counts_from: from } = saved
    toast.success(from === null ? t('saved') : t('saved.from', { time: times.absolute(from) }))
  }
  return (
    <FormDialog title={schedule?.name ?? t('new')} submit={t('save')} onClose={onClose} act={save}>
      {fields => (
        <>
          <TextField label={t('name')} name="name" isRequired autoFocus value={name} onChange={setName} />
          <SelectField
            label={t('zone')}
            description={t('zone.says')}
            name="timezone"
            value={zone}
            onChange={moveTo}
            choices={[...new Set(['UTC', zone, ...zones])].map(id => ({ id, label: id.replaceAll('_', ' ') }))}
          />
          {schedule !== null && <p className="soft">{t('edit.says')}</p>}
          {rotations.length > 1 && <p className="soft">{t('rotations.says')}</p>}
          {rotations.map((rotation, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: new rotations have no id and keep their place
            <fieldset key={at} className="on-call-rotation">
              <legend>{t('rotation.title', { number: at + 1 })}</legend>
              <RotationFields at={at} rotation={rotation} refused={fields} onChange={next => put(at, next)} />
              <div>
                <Button icon="delete" onPress={() => setRotations(rotations.filter(each => each !== rotation))}>
                  {t('rotation.remove', { number: at + 1 })}
                </Button>
              </div>
            </fieldset>
          ))}
          {rotations.length < mostRotations && (
            <div>
              <Button icon="add" onPress={() => setRotations([...rotations, newRotation(rotations.length + 1)])}>
                {t('rotation.add')}
              </Button>
            </div>
          )}
        </>
      )}
    </FormDialog>
  )
}
