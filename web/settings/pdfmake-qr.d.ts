declare module 'pdfmake/src/qrEnc.js' {
  interface Square {
    x: number
    y: number
    w: number
    color: string
  }
  const encoder: {
    /** Squares of a QR code of `node.qr`: the first is the ground. */
    measure(node: { qr: string; eccLevel?: 'L' | 'M' | 'Q' | 'H' }): { _canvas: Square[]; _width: number }
  }
  export default encoder
}
