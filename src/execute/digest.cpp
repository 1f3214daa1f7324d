#include "ballast/digest.hpp"

#include <openssl/evp.h>

#include <memory>

#include "ballast/error.hpp"

namespace ballast {

std::string sha256(std::span<const std::byte> bytes) {
  unsigned char hash[EVP_MAX_MD_SIZE];
  unsigned int length = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), hash, &length, EVP_sha256(), nullptr) != 1) {
    Diagnostic d;
    d.code = Errc::out_of_memory;
    d.operation = "digest";
    d.what = "libcrypto cannot compute a sha256";
    throw Error(std::move(d));
  }
  static constexpr char kHex[] = "0123456789abcdef";
  std::string text = "sha256:";
  for (unsigned int i = 0; i < length; ++i) {
    text += kHex[hash[i] >> 4U];
    text += kHex[hash[i] & 15U];
  }
  return text;
}

std::string digest(const Tensor& tensor) {
  if (!tensor.is_contiguous() || tensor.device.kind != DeviceKind::cpu) {
    Diagnostic d;
    d.code = Errc::invalid_argument;
    d.operation = "digest";
    d.what = "the tensor cannot be read";
    d.expected = "a contiguous tensor in host memory";
    throw Error(std::move(d));
  }
  return sha256({static_cast<const std::byte*>(tensor.data), tensor.nbytes()});
}

}  // namespace ballast
