import { Slider as AriaSlider, Label, SliderOutput, SliderThumb, SliderTrack } from 'react-aria-components'

interface SliderProps {
  label: string
  minValue: number
  maxValue: number
  value: number
  onChange(value: number): void
}

/** A whole number of a small range. */
export const Slider = ({ onChange, label, ...rest }: SliderProps) => (
  <AriaSlider {...rest} className="slider" onChange={value => onChange(Array.isArray(value) ? (value[0] ?? 0) : value)}>
    <Label>{label}</Label>
    <SliderOutput className="number" />
    <SliderTrack className="slider-track">
      <SliderThumb className="slider-thumb" />
    </SliderTrack>
  </AriaSlider>
)
