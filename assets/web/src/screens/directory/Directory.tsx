export default function Directory() {
  return <p>Directory</p>;
}
