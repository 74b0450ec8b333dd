import encoder from 'pdfmake/src/qrEnc.js'
import { useMemo } from 'react'

/** A text as a QR code, dark on white in both themes: readers need the light border. */
export function Qr({ text, label }: { text: string; label: string }) {
  const { path, size } = useMemo(() => {
    // the first square is the ground; each other is a module of the same width
    const { _canvas: squares, _width: width } = encoder.measure({ qr: text, eccLevel: 'M' })
    return {
      path: squares
        .slice(1)
        .map(({ x, y, w }) => `M${x} ${y}h${w}v${w}h-${w}z`)
        .join(''),
      size: width,
    }
  }, [text])
  const border = 20
  const box = `${-border} ${-border} ${size + 2 * border} ${size + 2 * border}`
  return (
    <svg className="qr" viewBox={box} role="img" aria-label={label}>
      <rect x={-border} y={-border} width={size + 2 * border} height={size + 2 * border} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  )
}
