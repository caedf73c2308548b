export default function UiGallery() { return null }
